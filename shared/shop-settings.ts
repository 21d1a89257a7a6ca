import * as z from 'zod/mini'
import { BRAND_NAMES } from './brands.ts'
import { endpoints } from './endpoint.ts'
import { accepts, cedis, phone, tenDigits, tidy } from './fields.ts'
import { MAX_IMAGE_BYTES } from './images.ts'
import { emailProblem, normaliseEmail } from './user-rules.ts'

/** The networks whose mobile money a shop may take. */
export const MOMO_NETWORKS = ['MTN', 'Telecel', 'AirtelTigo'] as const

const LEAST_AGENT_FEE = 1
const MOST_AGENT_FEE = 10_000

const line = (name: string, most: number) => {
  const missing = { error: `Enter ${name}.` }
  return z.string(missing).check(
    tidy(),
    z.minLength(1, missing),
    z.maxLength(most, { error: `Use at most ${most} characters.` }),
    z.refine((text) => !/\p{Cc}/u.test(text), { error: 'Use letters, digits and signs on one line.' }),
  )
}

/** How customers see and reach the shop. `phone` and `whatsapp` as ten digits; `workHours` such as "Mondays - Sundays, 7:40am - 8:30pm". */
const profile = z.object({
  name: line('the shop’s name', 60),
  tagline: line('a tagline', 120),
  phone: tenDigits,
  email: z.string({ error: 'Enter the shop’s e-mail address.' }).check(z.overwrite(normaliseEmail), accepts(emailProblem)),
  whatsapp: z
    .array(tenDigits, { error: 'Send the WhatsApp numbers as a list.' })
    .check(z.minLength(1, { error: 'Enter one WhatsApp number.' }), z.maxLength(2, { error: 'Enter at most two WhatsApp numbers.' })),
  workHours: line('when the shop is open', 100),
  brand: z.enum(BRAND_NAMES, { error: 'Choose a colour from the list.' }),
  /** What becoming an agent costs, in cedis. */
  agentFee: cedis.check(
    z.refine((fee) => fee >= LEAST_AGENT_FEE && fee <= MOST_AGENT_FEE, {
      error: `The fee is from ${LEAST_AGENT_FEE} to ${MOST_AGENT_FEE.toLocaleString('en')} cedis.`,
    }),
  ),
})
export type ShopProfile = z.output<typeof profile>
/** What is left out stays as it is. */
export const profileRequest = z.partial(profile)

/** Where customers of one network send mobile money. */
const paymentNumber = z.object({ network: z.enum(MOMO_NETWORKS), phoneNumber: z.string(), accountName: z.string() })
export type PaymentNumber = z.output<typeof paymentNumber>

export const paymentNumbersRequest = z.object({
  numbers: z
    .array(
      z.object({
        network: z.enum(MOMO_NETWORKS, { error: 'Choose MTN, Telecel or AirtelTigo.' }),
        phoneNumber: phone,
        accountName: line('the account name', 100),
      }),
      { error: 'Send the numbers as a list.' },
    )
    .check(
      z.minLength(1, { error: 'Customers need one number at least.' }),
      z.maxLength(MOMO_NETWORKS.length, { error: 'One number for each network.' }),
      z.refine((numbers) => new Set(numbers.map(({ network }) => network)).size === numbers.length, {
        error: 'One number for each network.',
      }),
    ),
})

/** `logo`: the picture's address, null for the usual sign. */
const shopSettings = z.extend(profile, { logo: z.nullable(z.string()), paymentNumbers: z.array(paymentNumber) })
export type ShopSettings = z.output<typeof shopSettings>
const shopSettingsReply = z.object({ shop: shopSettings })

const LOGO = 'Upload an image: PNG, JPEG, WebP, GIF or AVIF.'
const logoRequest = z.object({
  /** A base64 data URI; null takes the logo away. */
  image: z.nullable(
    z
      .string({ error: LOGO })
      .check(
        z.regex(/^data:image\/(?:png|jpeg|webp|gif|avif);base64,[A-Za-z0-9+/]+={0,2}$/, { error: LOGO, abort: true }),
        z.maxLength(Math.ceil(MAX_IMAGE_BYTES / 3) * 4 + 40, { error: 'Image size exceeds 100KB. Please upload a smaller image.' }),
      ),
  ),
})

/** What a new owner does before the first sale, in this order. */
const SETUP_STEPS = ['shop', 'payment-numbers', 'prices', 'supplier', 'sms', 'test-order', 'code'] as const
const setup = z.object({
  steps: z.array(z.object({ step: z.enum(SETUP_STEPS), done: z.boolean() })),
  /** The owner has put the list away. */
  hidden: z.boolean(),
})
export type Setup = z.output<typeof setup>

export const shopSettingsEndpoints = endpoints({
  'GET /admin/shop': {
    id: 'readShopSettings',
    tag: 'admin',
    summary: 'How customers see, reach and pay the shop',
    access: 'owner',
    reply: shopSettingsReply,
  },
  'PUT /admin/shop': {
    id: 'changeShopSettings',
    tag: 'admin',
    summary: "Change the shop's name, contacts, hours and colour; what is not sent stays as it is",
    access: 'owner',
    body: profileRequest,
    reply: shopSettingsReply,
  },
  'PUT /admin/shop/logo': {
    id: 'changeLogo',
    tag: 'admin',
    summary: "Change the shop's logo, or take it away",
    access: 'owner',
    body: logoRequest,
    reply: shopSettingsReply,
  },
  'PUT /admin/shop/payment-numbers': {
    id: 'changePaymentNumbers',
    tag: 'admin',
    summary: 'Change where customers send mobile money, one number for each network',
    access: 'owner',
    body: paymentNumbersRequest,
    reply: shopSettingsReply,
  },
  'GET /extra/payment-numbers': {
    id: 'listPaymentNumbers',
    tag: 'notice',
    summary: 'Where to send mobile money, by network; the first is also in GET /extra/momo-details',
    access: 'anyone',
    reply: z.array(paymentNumber),
  },
  'GET /admin/setup': {
    id: 'readSetup',
    tag: 'admin',
    summary: 'What is done and missing before the first sale',
    access: 'owner',
    reply: setup,
  },
  'PUT /admin/setup': {
    id: 'changeSetup',
    tag: 'admin',
    summary: 'Put the list of first steps away, or bring it back',
    access: 'owner',
    body: z.object({ hidden: z.boolean({ error: 'Say yes or no: hidden.' }) }),
    reply: setup,
  },
})
