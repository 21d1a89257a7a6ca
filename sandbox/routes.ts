import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ErrorCode } from '../shared/errors.ts'
import { registerCardCheckout, registerCardControl } from './card/control.ts'
import type { CardProvider } from './card-provider.ts'
import type { DataSupplierSimulator } from './data-supplier.ts'
import { registerFaultRoutes } from './faults.ts'
import { guardSandbox, type SandboxAccess } from './gate.ts'
import { type Mailbox, mailFault } from './mailbox.ts'
import type { Message } from './messages.ts'
import { registerPhoneControl } from './phone/control.ts'
import { Refusal } from './refusal.ts'
import { registerSmsControl } from './sms/control.ts'
import type { SmsServices } from './sms-services.ts'
import { presentDelivery, registerSupplierControl } from './supplier/control.ts'
import { SUPPLIER_NAMES, type SupplierName } from './supplier/protocol.ts'
import { registerUssdControl } from './ussd/control.ts'
import type { UssdPhones } from './ussd/phones.ts'
import { registerWhatsappControl } from './whatsapp/control.ts'
import type { WhatsappService } from './whatsapp-service.ts'

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }
const FILES = [
  'family.css',
  'sandbox.css',
  'sandbox.js',
  'sign-in.js',
  'dom.js',
  'faults.js',
  'card-popup.css',
  'card-popup.js',
  'whatsapp.css',
  'whatsapp.js',
  'theme.js',
  'money.js',
  'phone.js',
  'ussd.js',
] as const

/** The most entries of each list sent to the page. */
const SHOWN = { messages: 100, payments: 50, deliveries: 50, calls: 100 }

export type SandboxServices = {
  cardProvider: CardProvider
  mailbox: Mailbox
  supplier: Record<SupplierName, DataSupplierSimulator>
  sms: SmsServices
  now: () => Date
  ussd: UssdPhones
  whatsapp: WhatsappService
}

/** The sandbox's pages and API, under `/sandbox` and `/api/sandbox`. Mounted in sandbox mode only. */
export async function sandboxRoutes(
  app: FastifyInstance,
  { cardProvider, mailbox, supplier, sms, ussd, whatsapp, now }: SandboxServices,
  access: SandboxAccess,
) {
  const options = { schema: { hide: true } }
  const signInPage = readPage('sign-in.html')
  guardSandbox(app, access, (reply) => sendPage(reply, signInPage, "'none'"))
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const status = error instanceof Refusal ? error.statusCode : (error.statusCode ?? 500)
    if (status >= 500) request.log.error({ err: error }, 'the sandbox failed')
    return reply.code(status).send({ message: status >= 500 ? 'The sandbox failed.' : error.message, code: CODES[status] ?? 'INTERNAL' })
  })
  app.addHook('onSend', async (_request, reply) => {
    void reply.header('cache-control', 'no-store')
  })

  const outbox = (): Message[] => newestFirst([...mailbox.messages(), ...sms.messages()])
  app.get('/api/sandbox/outbox', options, async () => outbox())
  app.get('/api/sandbox/state', options, async () => ({
    messages: messages(),
    payments: cardProvider.payments().slice(0, SHOWN.payments),
    deliveries: deliveries(),
    suppliers: SUPPLIER_NAMES.map((name) => ({ name, settings: supplier[name].settings(), tally: supplier[name].tally() })),
    sms: sms.settings(),
    calls: calls(),
    faults: {
      card: cardProvider.control.faults.list(),
      mail: mailbox.faults(),
      hubnet: supplier.hubnet.control.faults.list(),
      remadata: supplier.remadata.control.faults.list(),
      datamart: supplier.datamart.control.faults.list(),
      reloadly: supplier.reloadly.control.faults.list(),
      sms: sms.control.faults.list(),
      whatsapp: whatsapp.control.faults.list(),
    },
  }))

  const messages = () => {
    const sent = sms.sent().map(({ to, body, at, ...details }) => ({ channel: 'sms', to, body, at, sms: details }))
    return newestFirst([...mailbox.messages(), ...sent]).slice(0, SHOWN.messages)
  }
  const deliveries = () => {
    const shown = SUPPLIER_NAMES.flatMap((name) => {
      const newest = supplier[name].control.deliveries.list().slice(0, SHOWN.deliveries)
      return newest.map((delivery) => ({ supplier: name, ...presentDelivery(delivery) }))
    })
    return shown.sort((one, other) => other.createdAt.localeCompare(one.createdAt)).slice(0, SHOWN.deliveries)
  }
  const calls = () => {
    const services = {
      card: cardProvider,
      hubnet: supplier.hubnet,
      remadata: supplier.remadata,
      datamart: supplier.datamart,
      reloadly: supplier.reloadly,
      sms,
      whatsapp,
    }
    const made = Object.entries(services).flatMap(([service, { calls }]) => calls().map((call) => ({ service, ...call })))
    return newestFirst(made).slice(0, SHOWN.calls)
  }

  registerCardControl(app, '/api/sandbox/card', cardProvider.control)
  registerCardCheckout(app, '/sandbox/card/transactions', cardProvider.control)

  for (const name of SUPPLIER_NAMES) registerSupplierControl(app, `/api/sandbox/supplier/${name}`, supplier[name].control)
  registerUssdControl(app, '/api/sandbox/ussd', ussd)
  registerSmsControl(app, '/api/sandbox/sms', sms.control)
  registerPhoneControl(app, '/api/sandbox/phone', { shopUrl: access.shopUrl, now })
  registerWhatsappControl(app, '/api/sandbox/whatsapp', whatsapp.control)

  registerFaultRoutes(app, '/api/sandbox/mail', { ...mailbox.control, schema: mailFault, options })

  const sandboxPage = readPage('sandbox.html')
  const popupPage = readPage('card-popup.html')
  const phonePage = readPage('phone.html')
  app.get('/sandbox', options, async (_request, reply) => sendPage(reply, sandboxPage, "'none'"))
  app.get('/sandbox/phone', options, async (_request, reply) => sendPage(reply, phonePage, "'none'"))
  const whatsappPage = readPage('whatsapp.html')
  app.get('/sandbox/whatsapp', options, async (_request, reply) => sendPage(reply, whatsappPage, "'none'"))
  app.get('/sandbox/', options, async (_request, reply) => reply.redirect('/sandbox'))
  app.get('/sandbox/card/popup', options, async (_request, reply) => sendPage(reply, popupPage, "'self'"))
  for (const file of FILES) {
    const content = readPage(file)
    const type = TYPES[file.endsWith('.js') ? 'js' : 'css']
    app.get(`/sandbox/page/${file}`, options, async (_request, reply) => reply.type(type).send(content))
  }
}

/** The pop-up is the only page of this origin that the shop may frame. */
function sendPage(reply: FastifyReply, page: Buffer, frameAncestors: "'none'" | "'self'") {
  return reply
    .type(TYPES.html)
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${frameAncestors}`,
    )
    .header('x-frame-options', frameAncestors === "'self'" ? 'SAMEORIGIN' : 'DENY')
    .header('x-content-type-options', 'nosniff')
    .send(page)
}

function newestFirst<T extends { at: string }>(items: T[]): T[] {
  return items.sort((one, other) => other.at.localeCompare(one.at))
}

function readPage(name: string) {
  return readFileSync(new URL(`./page/${name}`, import.meta.url))
}

const CODES: Partial<Record<number, ErrorCode>> = {
  400: 'INVALID',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
}
