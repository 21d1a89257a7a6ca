import './ui/theme.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { preloadScreen } from './app/router.tsx'
import { applyTheme } from './lib/theme.ts'

applyTheme()
// What only a later visit profits from waits until this one has all it needs.
if (import.meta.env.PROD) setTimeout(() => import('./lib/keep-installed.ts').catch(() => undefined), 3000)

const root = document.getElementById('root')
if (root) void begin(root)

async function begin(root: HTMLElement) {
  const app = (
    <StrictMode>
      <App />
    </StrictMode>
  )
  if (root.firstElementChild) {
    // The page was drawn by the server; it stays as it is until the code of its screen can take over the whole of it.
    await preloadScreen(window.location.pathname).catch(() => undefined)
    hydrateRoot(root, app)
  } else {
    createRoot(root).render(app)
  }
  pressWhatWaits()
}

/** What was pressed before there was anything to answer it, in its order. */
function pressWhatWaits() {
  const waiting = window.pressed ?? []
  window.pressed = undefined
  for (const button of waiting) {
    delete button.dataset.pressed
    button.click()
  }
}
