"""WebKitGTK, the nearest engine to an iPad's that runs here, driven by selenium on a screen that nobody sees."""

import os
import shutil
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
    TimeoutException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions as expected
from selenium.webdriver.support.ui import WebDriverWait
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

DRIVER = shutil.which("WebKitWebDriver")
WANTED = "The tests in WebKit need 'sudo apt install webkit2gtk-driver xvfb'."
PATIENCE = 60
DRAWN_ANEW = (ElementClickInterceptedException, ElementNotInteractableException, StaleElementReferenceException)


def is_there():
    return bool(DRIVER and browser_program() and shutil.which("Xvfb"))


def browser_program():
    """Return the small browser that comes with the library, where Debian puts it."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    return str(found[-1]) if found else None


@contextmanager
def unseen_screen():
    """Yield the name of an X display of its own."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1100x900x24", "-nolisten", "tcp"]
    screen = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as number:
            yield f":{number.readline().strip()}"
    finally:
        screen.terminate()
        screen.wait()


@contextmanager
def webkit(folder):
    """Yield a WebKit with a home of its own in a folder."""
    with unseen_screen() as display:
        environment = os.environ | {
            "DISPLAY": display,
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder),
            "XDG_CACHE_HOME": str(folder),
            "GDK_BACKEND": "x11",
            "NO_AT_BRIDGE": "1",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        }
        options = Options()
        options.binary_location = browser_program()
        options.add_argument("--automation")
        driver = webdriver.WebKitGTK(options=options, service=Service(executable_path=DRIVER, env=environment))
        try:
            yield Engine(driver)
        finally:
            driver.quit()


class Engine:
    """One page of WebKit, with words for what a test does there."""

    def __init__(self, driver):
        self.driver = driver

    def open(self, address):
        self.driver.get(address)

    def reload(self):
        self.driver.refresh()

    def let_in(self, url, session_key):
        """Sign in: a cookie can be set only where a page of the site stands."""
        self.open(f"{url}/healthz")
        self.driver.add_cookie({"name": "sessionid", "value": session_key, "path": "/"})

    def find(self, selector):
        return self._wait(expected.visibility_of_element_located((By.CSS_SELECTOR, selector)))

    def press(self, selector):
        self._press(By.CSS_SELECTOR, selector)

    def figures(self, text):
        for figure in text:
            self._press(By.XPATH, f"//*[@aria-label='Figures']//button[.='{figure}']")

    def press_until(self, selector, shown):
        """Press something until what it opens is shown: a page that is drawn anew at that moment forgets the press."""
        for _ in range(PATIENCE // 5):
            self.press(selector)
            with suppress(TimeoutException):
                opened = expected.visibility_of_element_located((By.CSS_SELECTOR, shown))
                WebDriverWait(self.driver, 5, poll_frequency=0.1).until(opened)
                return
        raise AssertionError(f"Never shown: {shown}")

    def _press(self, *where):
        """Press it once it can be pressed: the page may draw it anew between the look and the press."""

        def pressed(driver):
            found = expected.element_to_be_clickable(where)(driver)
            if found:
                # As a finger does, which presses nothing under the bar at the foot.
                driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
                found.click()
            return bool(found)

        WebDriverWait(self.driver, PATIENCE, ignored_exceptions=DRAWN_ANEW).until(pressed)

    def expect_words(self, selector, words):
        self._wait(expected.text_to_be_present_in_element((By.CSS_SELECTOR, selector), words))

    def run(self, script):
        return self.driver.execute_script(script)

    def wait_until(self, question):
        """Wait until the page answers yes to a function, which may give a promise."""
        asked = f"({question})().then(arguments[0], () => arguments[0](false))"
        self._wait(lambda driver: driver.execute_async_script(asked))

    def _wait(self, condition):
        return WebDriverWait(self.driver, PATIENCE).until(condition)
