import type { Shop } from '../../../shared/shop.ts'
import { type CardPopup, NOT_LOADED } from './popup.ts'

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
