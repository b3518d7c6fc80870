// Runs before the first paint, so that a remembered theme never flashes; kept apart from the page's module, which runs after it.
(function () {
  var root = document.documentElement;
  root.classList.add('scripted');
  try {
    var theme = localStorage.getItem('glassbox-theme');
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  } catch (error) {
    // A browser that forbids storage follows the system's theme.
  }
})();
