import { paymentTexts } from '../../../texts/payments.ts'

export type PopupOutcome = { result: 'success' } | { result: 'cancelled' } | { result: 'failed'; message: string }

/** Lets the payer pay one payment that the server has prepared. The server, not the pop-up, decides the outcome. */
export type CardPopup = { open: (accessCode: string) => Promise<PopupOutcome> }

/** The message of whatever the pop-up threw or reported; its errors are not instances of `Error`. */
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
  return paymentTexts.notLoaded
}
