"""A headless Chromium with one page, driven over its debugging socket."""

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def why_not():
    """A sentence about what is missing here; None if a browser and JupyterLab are installed."""
    import importlib.util

    if not any(map(shutil.which, NAMES)):
        return "no Chromium is installed; `apt-get install chromium` brings it"
    missing = [m for m in ("jupyterlab", "ipykernel", "websocket") if importlib.util.find_spec(m) is None]
    return f"{missing[0]} is not installed; `pip install jupyterlab` brings it" if missing else None


class Page:
    """Opens an address; evaluates JavaScript in it."""

    def __init__(self, folder: Path) -> None:
        import websocket

        program = next(found for name in NAMES if (found := shutil.which(name)))
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0"]
        words = [program, *options, "--remote-allow-origins=*", "--window-size=1100,1500", f"--user-data-dir={folder}", "about:blank"]
        self.process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = self._port(folder / "DevToolsActivePort")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as reply:
            pages = [p for p in json.load(reply) if p["type"] == "page"]
        self.socket = websocket.create_connection(pages[0]["webSocketDebuggerUrl"], timeout=60)
        self.number = 0

    def _port(self, file, seconds=40):
        end = time.monotonic() + seconds
        while not (file.exists() and file.read_text().strip()):
            assert time.monotonic() < end and self.process.poll() is None, "the browser did not start"
            time.sleep(0.1)
        return int(file.read_text().split()[0])

    def ask(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                return answer.get("result", answer)

    def open(self, address):
        self.ask("Page.navigate", url=address)

    def evaluate(self, code):
        found = self.ask("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        return found.get("result", {}).get("value")

    def wait_for(self, code, seconds=90):
        """Until an expression is true; returns its value."""
        end = time.monotonic() + seconds
        while not (value := self.evaluate(code)):
            assert time.monotonic() < end, f"{code} did not become true"
            time.sleep(0.2)
        return value

    def picture(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
