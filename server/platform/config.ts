import { resolve } from 'node:path'
import * as z from 'zod'
import type { AirtimeOperator } from '../../shared/airtime.ts'
import { readFormat } from '../../shared/message-formats.ts'
import { isMobilePhone } from '../../shared/phones.ts'
import { username } from '../../shared/users.ts'
import type { SecretsKey } from './seal-secret.ts'
import { QUICK_TIMINGS, USUAL_TIMINGS } from './timings.ts'
import { readWorkHours } from './work-hours.ts'

const SAMPLE_PHONE = '0240000000'
const SANDBOX_CHECKERS_KEY = 'what a sandbox sells is made up anyway'
const SMTP_SHAPE =
  'must be like smtps://user:password@host:465. Signs such as # / ? : @ and % in a password are written with a percent sign there: # is %23, / is %2F, @ is %40, % is %25'
const switchedOff = z.literal('off')
/** Trims whitespace from copied keys, which would defeat the checks of a key's prefix. */
const key = (minLength: number) => z.string().trim().min(minLength).optional()
const text = (fallback: string) => z.string().trim().min(1).max(300).default(fallback)

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  /** Megabytes: the owner is told when fewer are free where the embedded database is. */
  DISK_LOW_MB: z.coerce.number().int().min(50).max(1_000_000).default(1_000),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .optional(),
  /** Connection of the schema's owner, when DATABASE_URL uses a restricted role. */
  DATABASE_MIGRATION_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(20),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin, 'give the address alone, such as https://shop.example: the shop cannot be in a folder of another site')
    .optional(),
  SHOP_MODE: z.enum(['sandbox', 'live']).default('sandbox'),
  /** Whether a sandbox may be reached from other machines; its screens then need an admin's sign-in. */
  PUBLIC_SANDBOX: z.enum(['refuse', 'allow']).default('refuse'),
  /** Default: on in a sandbox, off in a live shop. */
  API_DOCS: z.enum(['on', 'off']).optional(),
  /** Port for Prometheus metrics; none when unset. */
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  /** Default: info in a live shop, warn in a sandbox. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  /** The number of proxies in front that set X-Forwarded-For; 0 trusts none. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),
  GUESSABLE_PASSWORDS: z.enum(['refuse', 'allow']).optional(),
  /** Per process, while rate limits are on. */
  SOCKETS_PER_USER: z.coerce.number().int().min(1).max(10_000).default(50),
  SOCKETS_PER_ADDRESS: z.coerce.number().int().min(1).max(100_000).default(3_000),
  SOCKET_MESSAGES_PER_SECOND: z.coerce.number().int().min(5).max(10_000).default(20),
  CHECKOUTS_AT_ONCE: z.coerce.number().int().min(1).max(100_000).default(2_000),
  CHECKOUTS_PER_SECOND: z.coerce.number().int().min(1).max(10_000).default(50),
  CHECKOUTS_IN_FLIGHT: z.coerce.number().int().min(1).max(1_000).default(2),

  /** Encrypts the secrets of authenticator apps in the database. */
  SECRETS_KEY: key(32),
  /** Opens what is still encrypted under the key before. */
  SECRETS_PREVIOUS_KEY: key(32),
  /** How many days after an AFA order has ended the person's details are erased. */
  AFA_KEEP_DAYS: z.coerce.number().int().min(1).max(365).default(30),
  /** Whether AFA takes Ghana Cards of people of other countries. */
  AFA_FOREIGN_CARDS: z.enum(['allow', 'refuse']).default('refuse'),
  /** Encrypts the checkers in stock. A sandbox, whose checkers are made up, has a key of its own. */
  CHECKERS_KEY: key(32),
  /** Opens what is still encrypted under the key before. */
  CHECKERS_PREVIOUS_KEY: key(32),

  ADMIN_USERNAME: z
    .string()
    .trim()
    .toLowerCase()
    .normalize()
    .refine((name) => username.safeParse(name).success, 'must be a name of 2 to 30 letters, digits, spaces and . _ -, not a number')
    .default('admin'),
  ADMIN_PHONE: z.string().refine(isMobilePhone, 'must be the 10 digits of a mobile number of Ghana, like 0241234567').default('0200000000'),
  ADMIN_EMAIL: z.email().default('admin@dwadi.example'),
  ADMIN_PASSWORD: z.string().min(8).max(128).optional(),

  SHOP_NAME: text('Dwadi'),
  SHOP_SLUG: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'may hold a to z, 0 to 9 and -')
    .default('dwadi'),
  SHOP_TAGLINE: text('Affordable data bundles for every network in Ghana'),
  SHOP_PHONE: z
    .string()
    .regex(/^[0-9]{10}$/, 'must be exactly 10 digits')
    .default(SAMPLE_PHONE),
  SHOP_EMAIL: z.email().default('hello@dwadi.example'),
  /** Two WhatsApp numbers of 10 digits, separated by a comma. */
  SHOP_WHATSAPP: z
    .string()
    .regex(/^[0-9]{10},[0-9]{10}$/, 'must be two numbers of 10 digits with a comma between')
    .default('0240000000,0500000000'),
  /** What customers dial to buy by USSD. */
  SHOP_USSD_CODE: z
    .string()
    .regex(/^\*\d{2,5}(?:\*\d{1,5}){0,3}#$/, 'must be a code to dial, such as *928#')
    .optional(),
  SHOP_WORK_HOURS: text('Mondays - Sundays, 7:40am - 8:30pm'),
  SHOP_COPYRIGHT_YEAR: z.coerce.number().int().min(2000).max(2100).default(2024),
  SHOP_DEVELOPER_CREDIT: text('Developed by Dwadi'),

  /** Forms of mobile-money messages, such as "AirtelTigo: You got {amount} from {payer}. ID: {id}", with || between them. */
  MESSAGE_FORMATS: z
    .string()
    .transform((value) => value.split('||').map(readFormat))
    .refine((formats) => !formats.includes(null), 'each form is "Network: words" with {amount} and {id} in them, and || between two')
    .transform((formats) => formats.filter((format) => format !== null))
    .optional(),

  /** A live shop must configure each outside service or switch it off explicitly. */
  CARD: switchedOff.optional(),
  PAYSTACK_SECRET_KEY: key(10),
  PAYSTACK_PREVIOUS_SECRET_KEY: key(10),
  PAYSTACK_PUBLIC_KEY: key(10),
  PAYSTACK_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.paystack.co'),
  MAIL: switchedOff.optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .refine(isMailServer, SMTP_SHAPE)
    .optional(),
  MAIL_FROM: z.string().min(3).optional(),
  /** The most password mails per day. */
  MAIL_DAILY_CAP: z.coerce.number().int().min(1).max(1_000_000).default(1_000),
  SMS: switchedOff.optional(),
  /** Which service to use when both keys are given. */
  SMS_PROVIDER: z.enum(['arkesel', 'mnotify']).optional(),
  SMS_ARKESEL_KEY: key(8),
  SMS_ARKESEL_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://sms.arkesel.com'),
  SMS_MNOTIFY_KEY: key(8),
  SMS_MNOTIFY_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.mnotify.com'),
  SMS_SENDER: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ]{0,10}$/, 'must be 1 to 11 letters, digits and spaces')
    .default('Dwadi'),
  /** The number that customers chat with, through Meta's Cloud API. All of the first five or none. */
  WHATSAPP_TOKEN: key(20),
  WHATSAPP_APP_SECRET: key(16),
  WHATSAPP_VERIFY_TOKEN: key(16),
  WHATSAPP_PHONE_ID: z
    .string()
    .regex(/^[0-9]{5,30}$/, 'must be the id of the number, digits alone')
    .optional(),
  WHATSAPP_NUMBER: z
    .string()
    .regex(/^[0-9]{10}$/, 'must be exactly 10 digits')
    .optional(),
  WHATSAPP_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://graph.facebook.com'),
  WHATSAPP_VERSION: z
    .string()
    .regex(/^v[0-9]{1,3}\.[0-9]$/, 'must be a version such as v23.0')
    .default('v23.0'),
  SUPPLIER: switchedOff.optional(),
  SUPPLIER_HUBNET_KEY: key(8),
  SUPPLIER_HUBNET_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://console.hubnet.app/live/api/context/business/transaction'),
  SUPPLIER_REMADATA_KEY: key(8),
  SUPPLIER_REMADATA_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://remadata.com/api'),
  SUPPLIER_DATAMART_KEY: key(8),
  SUPPLIER_DATAMART_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://api.datamartgh.shop/api/developer'),
  /** Airtime through Reloadly: both or neither. */
  SUPPLIER_RELOADLY_CLIENT_ID: key(8),
  SUPPLIER_RELOADLY_KEY: key(8),
  SUPPLIER_RELOADLY_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://topups.reloadly.com'),
  SUPPLIER_RELOADLY_AUTH_BASE_URL: z.url({ protocol: /^https?$/ }).default('https://auth.reloadly.com'),
  SUPPLIER_RELOADLY_OPERATORS: z
    .string()
    .regex(/^(MTN|Telecel|AirtelTigo)=[0-9]{1,9}(,(MTN|Telecel|AirtelTigo)=[0-9]{1,9})*$/, 'must be like MTN=150,Telecel=123')
    .default('MTN=150'),
  SUPPLIER_RELOADLY_CEDIS_PER_UNIT: z.coerce.number().positive().max(1_000_000).optional(),
  SUPPLIER_RELOADLY_PROVES_ABSENCE: z.enum(['yes', 'no']).default('no'),
  SUPPLIER_RELOADLY_CALLS_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).default(60),
  /** The most calls per minute to one endpoint of a supplier; Hubnet allows 5. */
  SUPPLIER_CALLS_PER_MINUTE: z.coerce.number().int().min(1).max(100_000).default(5),
  /** `quick` shortens every wait, for tests. */
  JOB_TIMINGS: z.enum(['usual', 'quick']).default('usual'),
})

type Environment = z.output<typeof environment>

/** Every variable with its default, or null. A test compares docs/going-live.md with this. */
export function listSettings(): { name: string; fallback: string | null }[] {
  return Object.entries(environment.shape).map(([name, schema]) => {
    const { success, data } = schema.safeParse(undefined)
    return { name, fallback: success && data !== undefined ? String(data) : null }
  })
}

/** Refuses one key without the other: in a sandbox the simulator would silently be used instead. */
function halfOfPaystack(settings: Environment): string[] {
  const { CARD, PAYSTACK_SECRET_KEY: secret, PAYSTACK_PUBLIC_KEY: shown } = settings
  if (CARD || (secret === undefined) === (shown === undefined)) return []
  const [missing, given] =
    secret === undefined ? ['PAYSTACK_SECRET_KEY', 'PAYSTACK_PUBLIC_KEY'] : ['PAYSTACK_PUBLIC_KEY', 'PAYSTACK_SECRET_KEY']
  return [`${missing}: set it too, or leave ${given} out; one does not work without the other`]
}

function halfOfReloadly({ SUPPLIER, SUPPLIER_RELOADLY_CLIENT_ID: id, SUPPLIER_RELOADLY_KEY: key }: Environment): string[] {
  if (SUPPLIER || (id === undefined) === (key === undefined)) return []
  const [missing, given] =
    id === undefined ? ['SUPPLIER_RELOADLY_CLIENT_ID', 'SUPPLIER_RELOADLY_KEY'] : ['SUPPLIER_RELOADLY_KEY', 'SUPPLIER_RELOADLY_CLIENT_ID']
  return [`${missing}: set it too, or leave ${given} out; one does not work without the other`]
}

const WHATSAPP = ['WHATSAPP_TOKEN', 'WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN', 'WHATSAPP_PHONE_ID', 'WHATSAPP_NUMBER'] as const

function partOfWhatsapp(settings: Environment): string[] {
  const missing = WHATSAPP.filter((name) => settings[name] === undefined)
  if (missing.length === 0 || missing.length === WHATSAPP.length) return []
  return missing.map((name) => `${name}: set it too, or leave the other settings of WhatsApp out`)
}

/** Without a key of today, what was encrypted would stay so, and new secrets would not be. */
function halfOfSecrets({ SECRETS_KEY: current, SECRETS_PREVIOUS_KEY: previous }: Environment): string[] {
  if (previous === undefined || current !== undefined) return []
  return ['SECRETS_KEY: set it too; SECRETS_PREVIOUS_KEY is the one before it']
}

/** What a live shop still lacks, one line each. */
function missingForLive(settings: Environment): string[] {
  if (settings.SHOP_MODE !== 'live') return []
  const needed: [string, unknown, string][] = [
    ['PUBLIC_URL', settings.PUBLIC_URL, 'a live shop needs its public address'],
    ['PAYSTACK_SECRET_KEY', settings.CARD ?? settings.PAYSTACK_SECRET_KEY, 'set it, or CARD=off to sell without cards'],
    ['PAYSTACK_PUBLIC_KEY', settings.CARD ?? settings.PAYSTACK_PUBLIC_KEY, 'set it, or CARD=off to sell without cards'],
    ['SMTP_URL', settings.MAIL ?? settings.SMTP_URL, 'set it, or MAIL=off to go without password mails'],
    [
      'MAIL_FROM',
      settings.MAIL ?? settings.MAIL_FROM ?? (settings.SMTP_URL ? undefined : 'later'),
      'set it: mails need a sender of your own',
    ],
    [
      'SMS_ARKESEL_KEY',
      settings.SMS ?? settings.SMS_ARKESEL_KEY ?? settings.SMS_MNOTIFY_KEY,
      'set it or SMS_MNOTIFY_KEY, or SMS=off to go without messages to the operator',
    ],
    [
      'SUPPLIER_HUBNET_KEY',
      settings.SUPPLIER ??
        settings.SUPPLIER_HUBNET_KEY ??
        settings.SUPPLIER_REMADATA_KEY ??
        settings.SUPPLIER_DATAMART_KEY ??
        settings.SUPPLIER_RELOADLY_KEY,
      'set it, SUPPLIER_REMADATA_KEY, SUPPLIER_DATAMART_KEY or SUPPLIER_RELOADLY_KEY, or SUPPLIER=off to process every order by hand',
    ],
    ['JOB_TIMINGS', settings.JOB_TIMINGS === 'usual' ? 'usual' : undefined, 'quick is for tests alone'],
  ]
  const lacking = needed.filter(([, value]) => value === undefined).map(([name, , why]) => `${name}: ${why}`)
  return [...lacking, ...unfitForLive(settings)]
}

/** Settings that are unsafe in a live shop, one line each. */
function unfitForLive(settings: Environment): string[] {
  const problems: string[] = []
  const refuse = (name: keyof Environment, why: string) => problems.push(`${name}: ${why}`)
  if (settings.RATE_LIMITS === 'off') refuse('RATE_LIMITS', 'off is for measurements; a live shop needs its limits')
  if (settings.GUESSABLE_PASSWORDS === 'allow') refuse('GUESSABLE_PASSWORDS', 'a live shop refuses passwords that others would guess')
  if (settings.PUBLIC_URL !== undefined && isInTheClear(settings.PUBLIC_URL)) refuse('PUBLIC_URL', 'a live shop is reached by https')
  for (const [name, isUsed] of PROVIDER_URLS) {
    if (isUsed(settings) && isInTheClear(settings[name])) refuse(name, 'keys and money go by https')
  }
  for (const [name, prefix] of PAYSTACK_KEYS) {
    const key = settings.CARD ? undefined : settings[name]
    if (key !== undefined && !key.startsWith(prefix)) refuse(name, `a live shop needs a live key, which begins with ${prefix}`)
  }
  const sendsSms = !settings.SMS && (settings.SMS_ARKESEL_KEY ?? settings.SMS_MNOTIFY_KEY) !== undefined
  if (sendsSms && settings.SHOP_PHONE === SAMPLE_PHONE) refuse('SHOP_PHONE', 'set it: messages about orders go to this number')
  return problems
}

/** Links are made from scheme, host and port: a path would be lost in them. */
function isOrigin(url: string): boolean {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return true
  const { origin, href } = new URL(url)
  return href === `${origin}/`
}

/** An unescaped sign in the password would end the address early, and the mails would be for another machine. */
function isMailServer(url: string): boolean {
  if (!/^smtps?:/.test(url)) return true
  if (!URL.canParse(url)) return false
  const { hostname, pathname, hash, username, password } = new URL(url)
  return hostname !== '' && ['', '/'].includes(pathname) && hash === '' && !/%(?![0-9a-f]{2})/i.test(username + password)
}

function isInTheClear(url: string): boolean {
  return new URL(url).protocol === 'http:'
}

const PROVIDER_URLS: [keyof Environment & `${string}_BASE_URL`, (settings: Environment) => boolean][] = [
  ['PAYSTACK_BASE_URL', ({ CARD }) => !CARD],
  ['SMS_ARKESEL_BASE_URL', ({ SMS }) => !SMS],
  ['SMS_MNOTIFY_BASE_URL', ({ SMS }) => !SMS],
  ['WHATSAPP_BASE_URL', ({ WHATSAPP_TOKEN }) => WHATSAPP_TOKEN !== undefined],
  ['SUPPLIER_HUBNET_BASE_URL', ({ SUPPLIER }) => !SUPPLIER],
  ['SUPPLIER_REMADATA_BASE_URL', ({ SUPPLIER }) => !SUPPLIER],
  ['SUPPLIER_DATAMART_BASE_URL', ({ SUPPLIER }) => !SUPPLIER],
  ['SUPPLIER_RELOADLY_BASE_URL', ({ SUPPLIER }) => !SUPPLIER],
  ['SUPPLIER_RELOADLY_AUTH_BASE_URL', ({ SUPPLIER }) => !SUPPLIER],
]

const PAYSTACK_KEYS = [
  ['PAYSTACK_SECRET_KEY', 'sk_live_'],
  ['PAYSTACK_PREVIOUS_SECRET_KEY', 'sk_live_'],
  ['PAYSTACK_PUBLIC_KEY', 'pk_live_'],
] as const

/**
 * A sandbox shows reset links and accepts any card, so it must stay on this machine unless allowed explicitly, and must not
 * use real payment keys.
 */
function unfitForSandbox(settings: Environment): string[] {
  if (settings.SHOP_MODE !== 'sandbox') return []
  const problems = PAYSTACK_KEYS.filter(([name, prefix]) => settings[name]?.startsWith(prefix)).map(
    ([name]) => `${name}: a live key moves real money, and this is a sandbox. Set SHOP_MODE=live, or use a test key`,
  )
  if (settings.PUBLIC_SANDBOX === 'allow') return problems
  const way = 'Set SHOP_MODE=live for a real shop, or PUBLIC_SANDBOX=allow for a sandbox that others may try'
  if (!isLoopback(settings.HOST)) problems.push(`HOST: others can reach the sandbox there. ${way}`)
  if (settings.PUBLIC_URL !== undefined && !isLoopback(new URL(settings.PUBLIC_URL).hostname))
    problems.push(`PUBLIC_URL: others can reach the sandbox there. ${way}`)
  return problems
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
}

/** Settings that are valid in a live shop but probably a mistake. */
function findWarnings(settings: Environment): string[] {
  if (settings.SHOP_MODE !== 'live') return []
  const samples = (['SHOP_PHONE', 'SHOP_EMAIL', 'SHOP_WHATSAPP', 'ADMIN_PHONE', 'ADMIN_EMAIL'] as const).filter(
    (name) => settings[name] === environment.shape[name].parse(undefined),
  )
  const warnings = samples.map((name) => `${name} is still the sample's. Set it to your own.`)
  if (settings.SECRETS_KEY === undefined)
    warnings.push(
      'SECRETS_KEY is not set: whoever reads a backup can make the codes of staff, and AFA takes nobody. `openssl rand -hex 24` makes one.',
    )
  if (settings.TRUSTED_PROXIES === 0)
    warnings.push(
      'TRUSTED_PROXIES is 0: the shop takes the proxy before it for its one visitor, and limits all of them together. Set it to 1.',
    )
  return warnings
}

const EXAMPLES: Record<string, string> = {
  url: 'must be an address such as https://shop.example',
  email: 'must be an e-mail address such as hello@shop.example',
}

/** For a technician, where a setting has no words of its own; undefined leaves Zod's. */
function sayPlainly(issue: z.core.$ZodRawIssue): string | undefined {
  const signs = issue.origin === 'string' ? 'have $ signs' : 'be $'
  if (issue.code === 'too_small') return `must ${signs.replace('$', `${issue.minimum}`)} or more`
  if (issue.code === 'too_big') return `must ${signs.replace('$', `${issue.maximum}`)} at most`
  if (issue.code === 'invalid_value') return `must be ${(issue.values as unknown[]).join(' or ')}, or be left out`
  if (issue.code === 'invalid_type') return issue.expected === 'int' ? 'must be a whole number' : 'must be a number'
  return issue.code === 'invalid_format' ? EXAMPLES[issue.format as string] : undefined
}

export type Config = ReturnType<typeof readConfig>

/**
 * Reads and checks the settings from the environment and fills in defaults.
 * @throws ConfigError whose message names every variable that is wrong.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given, { error: sayPlainly })
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  }
  const settings = parsed.data
  const lacking = missingForLive(settings)
  const missing =
    lacking.length > 0
      ? lacking
      : [
          ...halfOfSecrets(settings),
          ...halfOfPaystack(settings),
          ...halfOfReloadly(settings),
          ...partOfWhatsapp(settings),
          ...unfitForSandbox(settings),
        ]
  if (missing.length > 0) throw new ConfigError(missing)
  const shop = {
    name: settings.SHOP_NAME,
    slug: settings.SHOP_SLUG,
    tagline: settings.SHOP_TAGLINE,
    phone: settings.SHOP_PHONE,
    email: settings.SHOP_EMAIL,
    whatsapp: settings.SHOP_WHATSAPP.split(','),
    ...(settings.SHOP_USSD_CODE !== undefined && { ussdCode: settings.SHOP_USSD_CODE }),
    workHours: settings.SHOP_WORK_HOURS,
    hours: readWorkHours(settings.SHOP_WORK_HOURS),
    copyrightYear: settings.SHOP_COPYRIGHT_YEAR,
    developerCredit: settings.SHOP_DEVELOPER_CREDIT,
    mode: settings.SHOP_MODE,
  }
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir: resolve(settings.DATA_DIR),
    diskLowMb: settings.DISK_LOW_MB,
    databaseUrl: settings.DATABASE_URL,
    databaseMigrationUrl: settings.DATABASE_URL === undefined ? undefined : settings.DATABASE_MIGRATION_URL,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    publicUrl: settings.PUBLIC_URL === undefined ? undefined : new URL(settings.PUBLIC_URL).origin,
    mode: settings.SHOP_MODE,
    publicSandbox: settings.PUBLIC_SANDBOX === 'allow',
    apiDocs: (settings.API_DOCS ?? (settings.SHOP_MODE === 'live' ? 'off' : 'on')) === 'on',
    warnings: findWarnings(settings),
    logLevel: settings.LOG_LEVEL ?? (settings.SHOP_MODE === 'live' ? 'info' : 'warn'),
    metrics: settings.METRICS_PORT === undefined ? null : { port: settings.METRICS_PORT, host: settings.METRICS_HOST },
    trustedProxies: settings.TRUSTED_PROXIES,
    rateLimits: settings.RATE_LIMITS === 'on',
    socketLimits: {
      perUser: settings.SOCKETS_PER_USER,
      perAddress: settings.SOCKETS_PER_ADDRESS,
      messagesPerSecond: settings.SOCKET_MESSAGES_PER_SECOND,
    },
    checkoutLimits: {
      atOnce: settings.CHECKOUTS_AT_ONCE,
      perSecond: settings.CHECKOUTS_PER_SECOND,
      inFlight: settings.CHECKOUTS_IN_FLIGHT,
    },
    firstAdmin: {
      username: settings.ADMIN_USERNAME,
      phone: settings.ADMIN_PHONE,
      email: settings.ADMIN_EMAIL.toLowerCase(),
      password: settings.ADMIN_PASSWORD,
    },
    secretsKey: readSecretsKey(settings),
    afa: { keepDays: settings.AFA_KEEP_DAYS, foreignCards: settings.AFA_FOREIGN_CARDS === 'allow' },
    checkersKey: settings.CHECKERS_KEY ?? (settings.SHOP_MODE === 'sandbox' ? SANDBOX_CHECKERS_KEY : null),
    checkersPreviousKey: settings.CHECKERS_PREVIOUS_KEY ?? (settings.SHOP_MODE === 'sandbox' ? SANDBOX_CHECKERS_KEY : null),
    messageFormats: settings.MESSAGE_FORMATS ?? [],
    passwords: {
      // The owner may change it while the shop runs.
      get shopName() {
        return shop.name
      },
      allowGuessable: (settings.GUESSABLE_PASSWORDS ?? (settings.SHOP_MODE === 'live' ? 'refuse' : 'allow')) === 'allow',
    },
    card: settings.CARD ? null : readCard(settings),
    mail: settings.MAIL ? null : { smtpUrl: encryptedSmtp(settings), from: settings.MAIL_FROM ?? 'Dwadi <no-reply@dwadi.example>' },
    mailDailyCap: settings.MAIL_DAILY_CAP,
    sms: settings.SMS ? null : readSms(settings),
    whatsapp: readWhatsapp(settings),
    whatsappVersion: settings.WHATSAPP_VERSION,
    supplier: settings.SUPPLIER ? null : readSupplier(settings),
    timings: settings.JOB_TIMINGS === 'quick' ? QUICK_TIMINGS : USUAL_TIMINGS,
    shop,
  }
}

function readSecretsKey({ SECRETS_KEY: current, SECRETS_PREVIOUS_KEY: previous }: Environment): SecretsKey | null {
  if (current === undefined) return null
  return previous === undefined ? current : { current, previous }
}

function readCard(settings: Environment) {
  return {
    baseUrl: settings.PAYSTACK_BASE_URL,
    secretKey: settings.PAYSTACK_SECRET_KEY,
    previousSecretKey: settings.PAYSTACK_PREVIOUS_SECRET_KEY,
    publicKey: settings.PAYSTACK_PUBLIC_KEY,
  }
}

/** In a live shop, port 587 requires STARTTLS; without it mails and the password would be sent unencrypted. */
function encryptedSmtp({ SMTP_URL: url, SHOP_MODE }: Environment): string | undefined {
  if (SHOP_MODE !== 'live' || !url?.startsWith('smtp:')) return url
  return `${url}${url.includes('?') ? '&' : '?'}requireTLS=true`
}

function readSms(settings: Environment) {
  const arkesel = { provider: 'arkesel' as const, baseUrl: settings.SMS_ARKESEL_BASE_URL, apiKey: settings.SMS_ARKESEL_KEY }
  const mnotify = { provider: 'mnotify' as const, baseUrl: settings.SMS_MNOTIFY_BASE_URL, apiKey: settings.SMS_MNOTIFY_KEY }
  const isMnotify =
    (settings.SMS_PROVIDER ?? (settings.SMS_ARKESEL_KEY === undefined && settings.SMS_MNOTIFY_KEY ? 'mnotify' : 'arkesel')) === 'mnotify'
  return { ...(isMnotify ? mnotify : arkesel), sender: settings.SMS_SENDER }
}

/** Null without a number of one's own: a sandbox then has the simulator's, and a live shop none. */
function readWhatsapp(settings: Environment) {
  const { WHATSAPP_TOKEN: token, WHATSAPP_APP_SECRET: appSecret, WHATSAPP_VERIFY_TOKEN: verifyToken } = settings
  const { WHATSAPP_PHONE_ID: phoneId, WHATSAPP_NUMBER: number, WHATSAPP_BASE_URL: baseUrl } = settings
  if (token === undefined || appSecret === undefined || verifyToken === undefined || phoneId === undefined || number === undefined)
    return null
  return { token, appSecret, verifyToken, phoneId, number, baseUrl }
}

/** MTN=150,Telecel=123 */
function readOperatorIds(text: string): Partial<Record<AirtimeOperator, number>> {
  return Object.fromEntries(text.split(',').map((one) => [one.replace(/=.*/, ''), Number(one.replace(/.*=/, ''))]))
}

function readSupplier(settings: Environment) {
  return {
    hubnet: { baseUrl: settings.SUPPLIER_HUBNET_BASE_URL, key: settings.SUPPLIER_HUBNET_KEY },
    remadata: { baseUrl: settings.SUPPLIER_REMADATA_BASE_URL, key: settings.SUPPLIER_REMADATA_KEY },
    datamart: { baseUrl: settings.SUPPLIER_DATAMART_BASE_URL, key: settings.SUPPLIER_DATAMART_KEY },
    reloadly: {
      baseUrl: settings.SUPPLIER_RELOADLY_BASE_URL,
      authUrl: `${settings.SUPPLIER_RELOADLY_AUTH_BASE_URL}/oauth/token`,
      clientId: settings.SUPPLIER_RELOADLY_CLIENT_ID,
      key: settings.SUPPLIER_RELOADLY_KEY,
      operatorIds: readOperatorIds(settings.SUPPLIER_RELOADLY_OPERATORS),
      cedisPerUnit: settings.SUPPLIER_RELOADLY_CEDIS_PER_UNIT ?? null,
      provesAbsence: settings.SUPPLIER_RELOADLY_PROVES_ABSENCE === 'yes',
      callsPerMinute: settings.SUPPLIER_RELOADLY_CALLS_PER_MINUTE,
    },
    callsPerMinute: settings.SUPPLIER_CALLS_PER_MINUTE,
  }
}

export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(problems: string[]) {
    super(`The settings are not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  }
}
