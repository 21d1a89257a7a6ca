/** A request that the sandbox cannot carry out; the message says why. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}
