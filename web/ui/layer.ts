import { createStore } from '../lib/store.ts'

/**
 * The open modal dialogs, the topmost last. What lies outside the topmost one can be neither seen through its backdrop nor
 * reached, so toasts are put inside it.
 */
const openDialogs = createStore<readonly HTMLDialogElement[]>([])

export function addLayer(dialog: HTMLDialogElement): () => void {
  openDialogs.set([...openDialogs.get(), dialog])
  return () => openDialogs.set(openDialogs.get().filter((other) => other !== dialog))
}

export function useTopLayer(): HTMLDialogElement | null {
  return openDialogs.use().at(-1) ?? null
}
