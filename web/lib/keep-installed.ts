const SCRIPT = '/service-worker.js'
const SHELL = '/app-shell'

// Keeps the shop on this device.
if ('serviceWorker' in navigator) navigator.serviceWorker.register(SCRIPT).catch(() => undefined)

// Code that is gone from the server belongs to a version that has been replaced: the page begins again with the new one.
window.addEventListener('vite:preloadError', () => void reloadIfReplaced())

async function reloadIfReplaced(): Promise<void> {
  const own = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.getAttribute('src')
  if (!own) return
  try {
    const page = await fetch(SHELL, { cache: 'no-store', headers: { accept: 'text/html' } })
    if (page.ok && !(await page.text()).includes(own)) window.location.reload()
  } catch {
    // No connection: the screen says so itself.
  }
}

export {}
