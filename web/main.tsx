import './ui/theme.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { type LoadedScreens, loadScreen } from './app/router.tsx'
import { applyTheme } from './lib/theme.ts'

applyTheme()
// Install the service worker last: only later visits need it.
if (import.meta.env.PROD) setTimeout(() => import('./lib/keep-installed.ts').catch(() => undefined), 3000)

const root = document.getElementById('root')
// The newest functions that the shop uses; a browser without them gets them from web/lib/old-browsers.ts, and begins without if that is lost.
if (root)
  void Promise.all([
    ('groupBy' in Object && 'popover' in root) || import(/* @vite-ignore */ __OLD_BROWSERS__),
    window.canStore || import('./lib/tab-storage.ts'),
  ]).finally(() => begin(root))

async function begin(root: HTMLElement) {
  if (root.firstElementChild) {
    // A prerendered page stays as it is until its screen's code can take over all of it. The address may be another one by then.
    const path = root.dataset.path ?? window.location.pathname
    const screens = await loadScreen(path).catch(() => ({}))
    // A transition is rendered in slices, between which a phone answers to touch.
    startTransition(() => void hydrateRoot(root, appWith(screens, path)))
  } else {
    createRoot(root).render(appWith({}))
  }
  pressWhatWaits()
}

function appWith(screens: LoadedScreens, path?: string) {
  return (
    <StrictMode>
      <App path={path} screens={screens} />
    </StrictMode>
  )
}

/** Replays the presses made before the scripts were ready, in order. */
function pressWhatWaits() {
  const waiting = window.pressed ?? []
  window.pressed = undefined
  for (const button of waiting) {
    delete button.dataset.pressed
    button.click()
  }
}
