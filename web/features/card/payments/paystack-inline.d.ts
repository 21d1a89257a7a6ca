/** The part of the card provider's pop-up that we use. */
declare module '@paystack/inline-js' {
  export default class PaystackPop {
    resumeTransaction(
      accessCode: string,
      callbacks: {
        onSuccess?: (transaction: { reference: string }) => void
        onCancel?: () => void
        onLoad?: () => void
        onError?: (error: { message?: string }) => void
      },
    ): unknown
  }
}
