import PaystackPop from '@paystack/inline-js'
import { type CardPopup, popupMessage } from './card-popup.ts'

/** The card provider's own pop-up. */
export function livePopup(): CardPopup {
  const provider = new PaystackPop()
  return {
    open: (accessCode) =>
      new Promise((resolve) => {
        try {
          provider.resumeTransaction(accessCode, {
            onSuccess: () => resolve({ result: 'success' }),
            onCancel: () => resolve({ result: 'cancelled' }),
            onError: (error) => resolve({ result: 'failed', message: popupMessage(error) }),
          })
        } catch (error) {
          resolve({ result: 'failed', message: popupMessage(error) })
        }
      }),
  }
}
