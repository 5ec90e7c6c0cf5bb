# SPDX-License-Identifier: MIT
"""chromium.py -- Chromium driven by ChromeDriver's HTTP interface, with the
standard library alone."""
import base64
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009",
        "Escape": "\ue00c", "Tab": "\ue004", "Right": "\ue014",
        "Down": "\ue015"}


class Browser:
    def __init__(self):
        self.session = self.root = ""
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.downloads = pathlib.Path(self.profile.name, "saved")
        self.downloads.mkdir()
        self.driver = subprocess.Popen(
            [shutil.which("chromedriver"), "--port=0"], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in self.driver.stdout:
            port = re.search(r"successfully on port (\d+)", line)
            if port:
                self.root = "http://127.0.0.1:" + port.group(1)
                break

    def open(self):
        options = {"args": [
            "--headless=new", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update",
            "--disable-sync", "--hide-scrollbars", "--window-size=1400,1000",
            "--user-data-dir=" + self.profile.name]}
        for name in ("chromium", "chromium-browser", "google-chrome"):
            if shutil.which(name):
                options["binary"] = shutil.which(name)
                break
        wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL"}}
        got = self.call("POST", "/session",
                        {"capabilities": {"alwaysMatch": wanted}})
        self.session = "/session/" + got["sessionId"]
        self.post("/timeouts", {"script": 300000})
        self.tool("Browser.setDownloadBehavior", behavior="allow",
                  downloadPath=str(self.downloads))

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.root + path, data=data, method=method,
            headers={"Content-Type": "application/json"})
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=330) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()[:400]) from error

    def post(self, path, body=None):
        return self.call("POST", self.session + path, body or {})

    def tool(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.post("/goog/cdp/execute",
                         {"cmd": name, "params": parameters})

    def run(self, script, *arguments):
        return self.post("/execute/sync",
                         {"script": script, "args": list(arguments)})

    def wait_until(self, script, *arguments):
        for _ in range(600):
            if self.run("return " + script, *arguments):
                return
            time.sleep(0.05)
        raise AssertionError("never true: " + script)

    def visit(self, page, fragment=""):
        """Opens a page as if for the first time."""
        self.post("/url", {"url": "about:blank"})
        self.post("/url", {"url": pathlib.Path(page).resolve().as_uri()
                           + fragment})
        self.wait_until("document.documentElement.dataset.ready === 'yes'")

    def size(self, width, height):
        self.tool("Emulation.setDeviceMetricsOverride", width=width,
                  height=height, deviceScaleFactor=1, mobile=width < 600)

    def theme(self, name):
        self.tool("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": name},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def find(self, css):
        return self.post("/element", {"using": "css selector",
                                      "value": css})[ELEMENT]

    def click(self, css, held=()):
        """A click in the middle of it while keys are held."""
        element = {ELEMENT: self.find(css)}
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        mouse = [{"type": "pointerMove", "origin": element, "x": 0, "y": 0},
                 {"type": "pointerDown", "button": 0},
                 {"type": "pointerUp", "button": 0}]
        down = [{"type": "keyDown", "value": KEYS[k]} for k in held]
        wait = [{"type": "pause", "duration": 0} for _ in held]
        actions = [{"type": "pointer", "id": "mouse", "actions": wait + mouse}]
        if held:
            actions.append({"type": "key", "id": "keys", "actions": down})
        self.post("/actions", {"actions": actions})
        self.call("DELETE", self.session + "/actions")

    def keys(self, *names):
        """Keys held together, to what has the focus."""
        down = [{"type": "keyDown", "value": KEYS.get(k, k)} for k in names]
        up = [{"type": "keyUp", "value": KEYS.get(k, k)}
              for k in reversed(names)]
        self.post("/actions", {"actions": [
            {"type": "key", "id": "keys", "actions": down + up}]})

    def type(self, css, text):
        self.post("/element/" + self.find(css) + "/value", {"text": text})

    def picture(self, path, whole=False):
        more = {"captureBeyondViewport": True} if whole else {}
        png = self.tool("Page.captureScreenshot", **more)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(png))

    def printed(self):
        return base64.b64decode(self.post("/print"))

    def complaints(self):
        return [entry["message"] for entry in
                self.post("/se/log", {"type": "browser"})
                if entry["level"] in ("SEVERE", "WARNING")]

    def close(self):
        try:
            if self.session:
                self.call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()
