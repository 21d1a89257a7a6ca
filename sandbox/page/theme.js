// @ts-check
// The look that was chosen in the shop on this browser holds here too. A classic script, so that it runs before the first paint.
try {
  const chosen = JSON.parse(localStorage.getItem('theme') || 'null')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen
} catch {
  // Storage is forbidden or holds something else: the look of the system holds.
}
