import type { Shop } from '../../../../shared/shop.ts'
import { paymentTexts } from '../../../texts/payments.ts'
import type { CardPopup } from './card-popup.ts'

let popup: Promise<CardPopup> | undefined

/** One pop-up for the life of the page: the provider's library answers every message to each of its instances. */
export async function loadCardPopup(mode: Shop['mode']): Promise<CardPopup> {
  popup ??=
    mode === 'sandbox'
      ? import('./sandbox-popup.ts').then((module) => module.sandboxPopup())
      : import('./live-popup.ts').then((module) => module.livePopup())
  try {
    return await popup
  } catch (cause) {
    popup = undefined
    throw new Error(paymentTexts.notLoaded, { cause })
  }
}
