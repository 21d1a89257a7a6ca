import { resolve } from 'node:path'
import * as z from 'zod'

const switchedOff = z.literal('off')
const text = (fallback: string) => z.string().trim().min(1).max(300).default(fallback)

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(200).default(20),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  SHOP_MODE: z.enum(['sandbox', 'live']).default('sandbox'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** How many proxies stand in front and set X-Forwarded-For; 0 trusts none. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  RATE_LIMITS: z.enum(['on', 'off']).default('on'),

  ADMIN_USERNAME: z.string().trim().toLowerCase().min(2).max(30).default('admin'),
  ADMIN_PHONE: z
    .string()
    .regex(/^[0-9]{10}$/, 'must be exactly 10 digits')
    .default('0200000000'),
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
    .default('0240000000'),
  SHOP_EMAIL: z.email().default('hello@dwadi.example'),
  /** Two WhatsApp numbers, 10 digits each, with a comma between. */
  SHOP_WHATSAPP: z
    .string()
    .regex(/^[0-9]{10},[0-9]{10}$/, 'must be two numbers of 10 digits with a comma between')
    .default('0240000000,0500000000'),
  SHOP_WORK_HOURS: text('Mondays - Sundays, 7:40am - 8:30pm'),
  SHOP_COPYRIGHT_YEAR: z.coerce.number().int().min(2000).max(2100).default(2024),
  SHOP_DEVELOPER_CREDIT: text('Developed by Dwadi'),

  MAIL: switchedOff.optional(),
  CARD: switchedOff.optional(),
  SMS: switchedOff.optional(),
  SUPPLIER: switchedOff.optional(),
})

export type Config = ReturnType<typeof readConfig>

/**
 * Reads the settings from the environment, checks them all, and fills in the defaults.
 * @throws ConfigError whose message names every variable that is wrong.
 */
export function readConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  }
  const settings = parsed.data
  return {
    host: settings.HOST,
    port: settings.PORT,
    dataDir: resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    publicUrl: settings.PUBLIC_URL === undefined ? undefined : new URL(settings.PUBLIC_URL).origin,
    mode: settings.SHOP_MODE,
    logLevel: settings.LOG_LEVEL,
    trustedProxies: settings.TRUSTED_PROXIES,
    rateLimits: settings.RATE_LIMITS === 'on',
    firstAdmin: {
      username: settings.ADMIN_USERNAME,
      phone: settings.ADMIN_PHONE,
      email: settings.ADMIN_EMAIL.toLowerCase(),
      password: settings.ADMIN_PASSWORD,
    },
    shop: {
      name: settings.SHOP_NAME,
      slug: settings.SHOP_SLUG,
      tagline: settings.SHOP_TAGLINE,
      phone: settings.SHOP_PHONE,
      email: settings.SHOP_EMAIL,
      whatsapp: settings.SHOP_WHATSAPP.split(','),
      workHours: settings.SHOP_WORK_HOURS,
      copyrightYear: settings.SHOP_COPYRIGHT_YEAR,
      developerCredit: settings.SHOP_DEVELOPER_CREDIT,
      mode: settings.SHOP_MODE,
    },
  }
}

export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(problems: string[]) {
    super(`The settings are not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  }
}
