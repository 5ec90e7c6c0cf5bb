# Makes a C file of texts: cmake -D OUT=FILE -D PREFIX=NAME -D "IN=a.css;b.js" -P
# embed.cmake. The bytes of a.css become `const char PREFIX_css[]`, ending in 0.
set(CODE "/* Made by cmake/embed.cmake from ${IN}; not to be edited. */\n")
string(APPEND CODE "#include \"report/page.h\"\n")
foreach(FILE IN LISTS IN)
  get_filename_component(SUFFIX ${FILE} LAST_EXT)
  string(SUBSTRING ${SUFFIX} 1 -1 SUFFIX)
  file(READ ${FILE} BYTES HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" BYTES "${BYTES}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," BYTES "${BYTES}")
  string(APPEND CODE "const unsigned char ${PREFIX}_${SUFFIX}[] = {\n${BYTES}0};\n")
endforeach()
file(WRITE ${OUT} "${CODE}")
