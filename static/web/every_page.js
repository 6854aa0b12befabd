// On every page: the service worker, for people who open Clubscore from the Home Screen without the server; and a word to a
// browser that is too old for the page of taps. In the JavaScript of old throughout: such a browser has to read it.
(function () {
  var LATER = 1500;
  // It came with Safari 15.4, the oldest browser that Clubscore is made for: tests/test_browser_floor.py.
  var isTooOld = !Object.hasOwn;
  var notice = document.getElementById("too-old");

  if (notice && isTooOld) {
    notice.hidden = false;
    document.getElementById("opening").hidden = true;
  }

  function register() {
    // Without it a page needs the server; all else is the same.
    navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).then(null, function () {});
  }

  if (!isTooOld && "serviceWorker" in navigator && window.isSecureContext) setTimeout(register, LATER);
})();
