const SCRIPT = '/service-worker.js'
/** A page that was loaded again a moment ago is not helped by that once more. */
const JUST_LOADED_MS = 300_000
const RENEWED_WITHIN_MS = 10_000
const RELOADED = 1

// Keeps the shop on this device, once nothing else is on its way; with the data saver on, only for customers, who come again.
void import('./when-quiet.ts')
  .then(async ({ keepsPages, whenQuiet }) => {
    await whenQuiet()
    if (keepsPages()) await navigator.serviceWorker?.register(SCRIPT)
  })
  .catch(() => undefined)

const typed = new Set<Element>()
addEventListener('input', ({ target }) => {
  if (target instanceof Element) typed.add(target)
})

// Code that is gone from the server belongs to a version that has been replaced: the page begins again with the new one.
addEventListener('renewed', () => void beginAgain())

async function beginAgain(): Promise<void> {
  const { navigation } = performance
  if (navigation.type === RELOADED && performance.now() < JUST_LOADED_MS) return
  await renewKept().catch(() => undefined)
  if (!holdsTyped()) window.location.reload()
}

/** What is kept on this device would answer with the old page. */
async function renewKept(): Promise<void> {
  const kept = await navigator.serviceWorker?.getRegistration()
  if (!kept) return
  const renewed = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  await kept.update()
  if (kept.installing ?? kept.waiting) await Promise.race([renewed, new Promise((resolve) => setTimeout(resolve, RENEWED_WITHIN_MS))])
}

/** Fields of this screen that somebody has filled in, and dialogs that would ask before they close. */
function holdsTyped(): boolean {
  const isFilled = (field: Element) =>
    field.isConnected && (field as HTMLInputElement).type !== 'search' && (field as HTMLInputElement).value !== ''
  return [...typed].some(isFilled) || !dispatchEvent(new Event('beforeunload', { cancelable: true }))
}

export {}
