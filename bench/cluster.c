/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "clock.h"
#include "parents/sets.h"
#include "problem/problem.h"
#include "bounds/relax.h"
static struct bestdag_relax *relax_of(struct bestdag_run*run,const struct bestdag_problem*p){
    struct bestdag_relax *r=bestdag_relax_new(run,p->n);
    for(int v=0;v<p->n;v++){const struct bestdag_menu*m=&p->menu[v];
        struct bestdag_supply s={.count=m->count,.words=m->words,.universe=m->universe,.member=m->member,.mask=m->mask,.cost=m->cost};
        bestdag_relax_fill(r,v,&s);}
    bestdag_relax_ready(r);
    return r;
}
int main(int argc,char**argv){
    for(int i=1;i+1<argc;i+=2){
        struct bestdag_run*run=bestdag_run_new();
        struct bestdag_sets*sets=bestdag_sets_read(run,argv[i]);
        if(!sets){printf("%s\n",bestdag_run_error(run));return 1;}
        struct bestdag_problem*p=bestdag_problem_new(run,sets);
        double opt=atof(argv[i+1]);
        double t0=cpu_seconds();
        struct bestdag_relax*r=relax_of(run,p);
        int64_t total=0,tot0=0;for(int v=0;v<p->n;v++){total+=r->stock[v].count;tot0+=p->menu[v].count;}
        printf("%s n=%d sets=%ld (%ld) opt %.3f simple %.3f gap %.3f%% %.3fs\n",argv[i],p->n,(long)total,(long)tot0,opt,p->best,100*(p->best-opt)/fabs(opt),cpu_seconds()-t0);
        int *order=malloc(sizeof(int)*p->n);
        bool ok=bestdag_relax_ascend(r,INT64_MAX,order);
        printf("  ascent: %d bound %.3f gap %.4f%% clusters %d  %.3fs\n",ok,bestdag_problem_nats(p,r->bound),100*(bestdag_problem_nats(p,r->bound)-opt)/fabs(opt),r->pool.count,cpu_seconds()-t0);
        double best=r->bound; double w=ldexp(atof(getenv("W")?getenv("W"):"1"),p->shift);
        int64_t sum=0;for(int v=0;v<p->n;v++)sum+=r->stock[v].count;
        double*share=malloc(sizeof(double)*(sum+1));
        double limit=atof(getenv("L")?getenv("L"):"5");
        for(int round=0;cpu_seconds()-t0<limit&&round<400;round++){
            if(bestdag_relax_smooth(r,w,atoi(getenv("S")?getenv("S"):"50"),share))break;
            double b1=r->bound; int pc=r->pool.count;
            int k=0;
            if(getenv("SEP"))k=bestdag_relax_separate(r,share,p->n);
            double b2=r->bound;
            bestdag_relax_ascend(r,INT64_MAX,order);
            if(r->bound>best)best=r->bound;
            printf("  w %.5f smooth %.3f sep %d asc %.3f gap %.4f%% best %.4f%% clusters %d->%d %.3fs\n",ldexp(w,-p->shift),bestdag_problem_nats(p,b1),k,bestdag_problem_nats(p,r->bound),100*(bestdag_problem_nats(p,r->bound)-opt)/fabs(opt),100*(bestdag_problem_nats(p,best)-opt)/fabs(opt),pc,r->pool.count,cpu_seconds()-t0);
            if(round%3==2){w*=0.7; bestdag_relax_tidy(r);}
            (void)b2;
        }
        if(getenv("DUMP")){
          FILE*f=fopen("/tmp/w/frac.txt","w");int64_t at=0;
          for(int v=0;v<p->n;v++)for(int i=0;i<r->stock[v].count;i++,at++)if(share[at]>1e-3){
            fprintf(f,"%d %.4f",v,share[at]);
            for(int k=0;k<r->stock[v].universe;k++)if(bestdag_stock_mask(&r->stock[v],i)[k/64]>>(k%64)&1)fprintf(f," %d",r->stock[v].member[k]);
            fprintf(f,"\n");}
          fclose(f);}
    }
}
