/** What a person or a test asked of the sandbox can't be done; the message says why. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}
