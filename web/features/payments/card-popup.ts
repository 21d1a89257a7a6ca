import type { Shop } from '../../../shared/shop.ts'

export type PopupOutcome = { result: 'success' } | { result: 'cancelled' } | { result: 'failed'; message: string }

/** Lets the payer pay one payment that the server has prepared. What came of it is the server's word, not the pop-up's. */
export type CardPopup = { open: (accessCode: string) => Promise<PopupOutcome> }

const NOT_LOADED = 'The card payment screen could not be opened. Check your connection and try again. Nothing was charged.'

let popup: Promise<CardPopup> | undefined

/** One pop-up for the life of the page: the provider's library answers every message to each of its instances. */
export async function loadCardPopup(mode: Shop['mode']): Promise<CardPopup> {
  popup ??=
    mode === 'sandbox'
      ? import('./sandbox-popup.ts').then((module) => module.createSandboxPopup())
      : import('./live-popup.ts').then((module) => module.createLivePopup())
  try {
    return await popup
  } catch (cause) {
    popup = undefined
    throw new Error(NOT_LOADED, { cause })
  }
}

/** The words of whatever the pop-up threw or reported; its own errors are no `Error`s. */
export function popupMessage(error: unknown): string {
  if (typeof error === 'string' && error) return error
  if (typeof error === 'object' && error !== null) {
    const { issues, message } = error as { issues?: { message?: string }[]; message?: string }
    const listed = issues
      ?.map((issue) => issue.message)
      .filter(Boolean)
      .join('; ')
    if (listed) return listed
    if (message) return message
  }
  return NOT_LOADED
}
