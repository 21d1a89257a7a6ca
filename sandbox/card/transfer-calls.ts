import * as z from 'zod'
import type { Answer } from '../faults.ts'
import { errorBody } from './replies.ts'
import { type CardTransfers, TRANSFER_FEE_PESEWAS, transferData } from './transfers.ts'

const BANK_CODES = ['MTN', 'VOD', 'ATL']
const MIN_PESEWAS = 100

const newRecipient = z.object({
  type: z.literal('mobile_money'),
  name: z.string().trim().min(1),
  account_number: z.string().regex(/^0\d{9}$/),
  bank_code: z.enum(BANK_CODES),
  currency: z.literal('GHS'),
})
const newTransfer = z.object({
  source: z.literal('balance'),
  amount: z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).pipe(z.int()),
  recipient: z.string(),
  reference: z.string().optional(),
  reason: z.string().optional(),
  currency: z.string().default('NGN'),
})

export async function nameRecipient(transfers: CardTransfers, body: unknown): Promise<Answer> {
  const given = newRecipient.safeParse(body)
  if (!given.success) {
    return refuse('Account number is invalid for the mobile money service', 'invalid_params', 'Check the number and the bank code')
  }
  const { name, account_number: phone, bank_code: bankCode } = given.data
  const named = await transfers.nameRecipient({ name, phone, bankCode })
  return {
    status: 201,
    body: {
      status: true,
      message: 'Transfer recipient created successfully',
      data: {
        active: true,
        currency: 'GHS',
        domain: 'test',
        name,
        recipient_code: named.code,
        type: 'mobile_money',
        details: { account_number: phone, account_name: null, bank_code: bankCode, bank_name: null },
      },
    },
  }
}

export async function startTransfer(transfers: CardTransfers, body: unknown): Promise<Answer> {
  const given = newTransfer.safeParse(body)
  if (!given.success) return refuse('Invalid transfer', 'invalid_params', 'Check what you send')
  const { amount, recipient, reference = `trf-${Date.now()}-generated`, reason = '', currency } = given.data
  if (currency !== 'GHS') return refuse('Currency not supported by merchant', 'unsupported_currency', 'Use a currency of your business')
  if (!/^[a-z0-9_-]{16,50}$/.test(reference)) {
    return refuse('Transfer reference is invalid', 'invalid_params', 'Use 16 to 50 lower-case letters, digits, - and _')
  }
  const to = transfers.findRecipient(recipient)
  if (!to) return refuse('Recipient specified is invalid', 'invalid_transfer_recipient', 'Create the recipient first')
  if (transfers.find(reference)) {
    return refuse('Transfer reference already exists', 'duplicate_reference', 'Verify the transfer with this reference')
  }
  if (amount < MIN_PESEWAS) return refuse('Transfer amount is too low', 'invalid_amount', 'Send a higher amount')
  if (transfers.settings.balancePesewas < amount + TRANSFER_FEE_PESEWAS) {
    return refuse('Your balance is not enough to fulfill this request', 'insufficient_balance', 'Top up your balance')
  }
  const added = await transfers.add({ reference, recipientCode: recipient, amountPesewas: amount, reason })
  const message = added.status === 'otp' ? 'Transfer requires OTP to continue' : 'Transfer has been queued'
  const { recipient: _, ...data } = transferData(added, to)
  return { status: 200, body: { status: true, message, data: { ...data, recipient: added.id } } }
}

export async function verifyTransfer(transfers: CardTransfers, reference: string): Promise<Answer> {
  const one = transfers.find(reference)
  if (!one) return { status: 404, body: errorBody('Transfer not found', 'transfer_not_found', 'Check the reference') }
  const data = transferData(one, transfers.findRecipient(one.recipientCode))
  return { status: 200, body: { status: true, message: 'Transfer retrieved', data } }
}

function refuse(message: string, code: string, nextStep: string): Answer {
  return { status: 400, body: errorBody(message, code, nextStep) }
}
