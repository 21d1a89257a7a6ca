import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

/** The variables that a refusal names, in its order. */
function namedBy(env: Record<string, string>): string[] {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    const [title, ...lines] = (error as Error).message.split('\n')
    expect(title).toBe('The settings are not right:')
    for (const line of lines) expect(line).toMatch(/^ {2}[A-Z_]+: \S/)
    return lines.map((line) => line.trim().split(':')[0]!)
  }
  return []
}

const LIVE = {
  SHOP_MODE: 'live',
  PUBLIC_URL: 'https://shop.example',
  PAYSTACK_SECRET_KEY: 'sk_live_0123456789',
  PAYSTACK_PUBLIC_KEY: 'pk_live_0123456789',
  SMTP_URL: 'smtps://user:secret@mail.example',
  MAIL_FROM: 'Shop <hello@shop.example>',
  SMS: 'off',
  SUPPLIER: 'off',
}

describe('without any setting', () => {
  test('the shop is a sandbox on this machine alone, with the embedded database', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      mode: 'sandbox',
      host: '127.0.0.1',
      port: 3000,
      databaseUrl: undefined,
      publicUrl: undefined,
      rateLimits: true,
      passwords: { shopName: 'Dwadi', allowGuessable: true },
      trustedProxies: 0,
      card: { secretKey: undefined, publicKey: undefined, baseUrl: 'https://api.paystack.co' },
      mail: { smtpUrl: undefined },
      firstAdmin: { username: 'admin', phone: '0200000000', password: undefined },
      shop: { name: 'Dwadi', slug: 'dwadi', mode: 'sandbox', copyrightYear: 2024, workHours: 'Mondays - Sundays, 7:40am - 8:30pm' },
    })
    expect(config.dataDir).toMatch(/[/\\]data$/)
    expect(config.shop.whatsapp).toHaveLength(2)
  })

  test('an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '', DATABASE_URL: '', ADMIN_PASSWORD: '', CARD: '' })).toEqual(readConfig({}))
  })
})

describe('a variable that is wrong', () => {
  test.each([
    [{ SHOP_MODE: 'Live' }, 'SHOP_MODE: must be sandbox or live, or be left out'],
    [{ CARD: 'no' }, 'CARD: must be off, or be left out'],
    [{ PORT: 'http' }, 'PORT: must be a number'],
    [{ PORT: '3000.5' }, 'PORT: must be a whole number'],
    [{ PORT: '65536' }, 'PORT: must be 65535 at most'],
    [{ PUBLIC_URL: 'shop.example' }, 'PUBLIC_URL: must be an address such as https://shop.example'],
    [{ ADMIN_EMAIL: 'kofi' }, 'ADMIN_EMAIL: must be an e-mail address such as hello@shop.example'],
    [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD: must have 8 signs or more'],
    [{ SECRETS_KEY: 'abc' }, 'SECRETS_KEY: must have 32 signs or more'],
    [{ SMTP_URL: 'mail.example' }, 'SMTP_URL: must begin with smtp:// or smtps://'],
  ])('%o is refused in plain words', (env, line) => {
    expect(() => readConfig(env)).toThrow(`The settings are not right:\n  ${line}`)
  })

  test.each(['u:p@ss#w@mail.example:465', 'u:p/w@mail.example:465', 'u:p?w@mail.example', 'u:p%w@mail.example', ''])(
    'a mail server at smtps://%s is refused, with how the password is written',
    (rest) => {
      expect(() => readConfig({ SMTP_URL: `smtps://${rest}` })).toThrow(/SMTP_URL: must be like .* # is %23/)
      expect(readConfig({ SMTP_URL: 'smtps://u:p%23%2Fw@mail.example:465/?name=a' }).mail?.smtpUrl).toContain('mail.example')
    },
  )

  test.each([
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PORT', 'http'],
    ['DATABASE_URL', 'mysql://localhost/shop'],
    ['DATABASE_MIGRATION_URL', 'localhost'],
    ['DATABASE_POOL_SIZE', '1'],
    ['DATABASE_POOL_SIZE', 'many'],
    ['PUBLIC_URL', 'shop.example'],
    ['PUBLIC_URL', 'ftp://shop.example'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'https://shop.example/data'],
    ['PUBLIC_URL', 'https://shop.example/?shop'],
    ['PUBLIC_URL', 'https://shop.example/#data'],
    ['PUBLIC_URL', 'https://me:secret@shop.example'],
    ['SHOP_MODE', 'production'],
    ['SHOP_MODE', 'Live'],
    ['LOG_LEVEL', 'loud'],
    ['TRUSTED_PROXIES', 'all'],
    ['TRUSTED_PROXIES', '11'],
    ['RATE_LIMITS', 'yes'],
    ['ADMIN_USERNAME', 'a'],
    ['ADMIN_USERNAME', '0241234567'],
    ['ADMIN_USERNAME', '<b>'],
    ['ADMIN_PHONE', '+233241234567'],
    ['ADMIN_PHONE', '2332012345'],
    ['ADMIN_PHONE', '0302123456'],
    ['ADMIN_EMAIL', 'owner'],
    ['ADMIN_PASSWORD', '1234567'],
    ['ADMIN_PASSWORD', 'x'.repeat(129)],
    ['SHOP_NAME', ' '],
    ['SHOP_SLUG', 'My Shop'],
    ['SHOP_SLUG', '../x'],
    ['SHOP_PHONE', '024'],
    ['SHOP_EMAIL', 'hello'],
    ['SHOP_WHATSAPP', '0240000000'],
    ['SHOP_COPYRIGHT_YEAR', '24'],
    ['CARD', 'no'],
    ['PAYSTACK_SECRET_KEY', 'sk_x'],
    ['PAYSTACK_BASE_URL', 'api.paystack.co'],
    ['MAIL', 'false'],
    ['SMTP_URL', 'mail.example:25'],
    ['SMS', 'on'],
    ['SUPPLIER', 'on'],
    ['METRICS_PORT', 'http'],
    ['SMS_PROVIDER', 'other'],
    ['SMS_ARKESEL_KEY', 'short'],
    ['SMS_SENDER', 'A name too long'],
    ['SUPPLIER_HUBNET_KEY', 'short'],
    ['SUPPLIER_HUBNET_BASE_URL', 'hubnet'],
    ['SUPPLIER_CALLS_PER_MINUTE', '0'],
    ['SUPPLIER_RELOADLY_OPERATORS', 'MTN:150'],
    ['SUPPLIER_RELOADLY_OPERATORS', 'MTN=150,Glo=1'],
    ['SUPPLIER_RELOADLY_CEDIS_PER_UNIT', '0'],
    ['SUPPLIER_RELOADLY_PROVES_ABSENCE', 'maybe'],
    ['JOB_TIMINGS', 'fast'],
    ['PUBLIC_SANDBOX', 'yes'],
    ['API_DOCS', 'yes'],
  ])('%s=%s is named', (name, value) => {
    expect(namedBy({ [name]: value })).toEqual([name])
  })

  test.each([
    ['DATABASE_URL', 'mysql://localhost/dwadi', 'must begin with postgres:// or postgresql://'],
    ['ADMIN_PHONE', '+233200000000', 'must be the 10 digits of a mobile number'],
    ['SHOP_WHATSAPP', '0240000000', 'must be two numbers of 10 digits with a comma between'],
  ])('%s=%s is explained', (name, value, words) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name}: ${words}`)
  })

  test('is named along with all the others', () => {
    expect(namedBy({ PORT: 'x', SHOP_MODE: 'x', ADMIN_PHONE: 'x', SMTP_URL: 'x' })).toEqual([
      'PORT',
      'SHOP_MODE',
      'ADMIN_PHONE',
      'SMTP_URL',
    ])
  })

  test('is half of an account at Reloadly: the other half is named', () => {
    expect(namedBy({ SUPPLIER_RELOADLY_KEY: 'client-secret' })).toEqual(['SUPPLIER_RELOADLY_CLIENT_ID'])
    expect(namedBy({ SUPPLIER_RELOADLY_CLIENT_ID: 'client-id' })).toEqual(['SUPPLIER_RELOADLY_KEY'])
    const keys = { SUPPLIER_RELOADLY_CLIENT_ID: 'client-id', SUPPLIER_RELOADLY_KEY: 'client-secret' }
    expect(readConfig({ ...keys, SUPPLIER_RELOADLY_OPERATORS: 'MTN=150,Telecel=7' }).supplier?.reloadly).toMatchObject({
      operatorIds: { MTN: 150, Telecel: 7 },
      authUrl: 'https://auth.reloadly.com/oauth/token',
      provesAbsence: false,
    })
  })

  test('is not repeated in the message when it is a secret', () => {
    expect(() => readConfig({ ADMIN_PASSWORD: 'hunter2', PAYSTACK_SECRET_KEY: 'sk_hush' })).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/hunter2|sk_hush/) }),
    )
  })
})

describe('a live shop', () => {
  test('opens when every outside service is configured or switched off', () => {
    expect(readConfig(LIVE)).toMatchObject({
      mode: 'live',
      publicUrl: 'https://shop.example',
      shop: { mode: 'live' },
      passwords: { allowGuessable: false },
    })
    const { PAYSTACK_SECRET_KEY: _, PAYSTACK_PUBLIC_KEY: __, SMTP_URL: ___, MAIL_FROM: ____, ...rest } = LIVE
    expect(readConfig({ ...rest, CARD: 'off', MAIL: 'off' })).toMatchObject({ card: null, mail: null })
  })

  test.each(['PUBLIC_URL', 'PAYSTACK_SECRET_KEY', 'PAYSTACK_PUBLIC_KEY', 'SMTP_URL', 'MAIL_FROM'])(
    'without %s does not, and names it',
    (name) => {
      expect(namedBy({ ...LIVE, [name]: '' })).toEqual([name])
    },
  )

  test.each(['SMS', 'SUPPLIER'])('without %s, configured or switched off, does not, and names what to set', (name) => {
    const named = namedBy({ ...LIVE, [name]: '' })
    expect(named).toHaveLength(1)
    expect(named[0]).toMatch(new RegExp(`^${name}`))
  })

  const KEYS = { SMS: '', SMS_ARKESEL_KEY: 'an arkesel key', SHOP_PHONE: '0241234567', SUPPLIER: '', SUPPLIER_HUBNET_KEY: 'a hubnet key' }
  test.each([
    ['JOB_TIMINGS', 'quick'],
    ['RATE_LIMITS', 'off'],
    ['GUESSABLE_PASSWORDS', 'allow'],
    ['PUBLIC_URL', 'http://shop.example'],
    ['PUBLIC_URL', 'HTTP://shop.example'],
    ['PAYSTACK_BASE_URL', 'http://api.paystack.co'],
    ['PAYSTACK_BASE_URL', 'Http://api.paystack.co'],
    ['SMS_ARKESEL_BASE_URL', 'http://sms.arkesel.com'],
    ['SMS_MNOTIFY_BASE_URL', 'http://127.0.0.1:9999'],
    ['SUPPLIER_HUBNET_BASE_URL', 'http://console.hubnet.app'],
    ['SUPPLIER_REMADATA_BASE_URL', 'http://remadata.com/api'],
    ['PAYSTACK_SECRET_KEY', 'sk_test_0123456789'],
    ['PAYSTACK_PREVIOUS_SECRET_KEY', 'sk_test_0123456789'],
    ['PAYSTACK_PUBLIC_KEY', 'pk_test_0123456789'],
    ['SHOP_PHONE', '0240000000'],
  ])('does not open with %s=%s', (name, value) => {
    expect(namedBy({ ...LIVE, ...KEYS })).toEqual([])
    expect(namedBy({ ...LIVE, ...KEYS, [name]: value })).toEqual([name])
  })

  test('ignores the address of a service that is switched off', () => {
    const off = { CARD: 'off', PAYSTACK_BASE_URL: 'http://a.example', SMS_ARKESEL_BASE_URL: 'http://b.example' }
    expect(namedBy({ ...LIVE, ...off, SUPPLIER_HUBNET_BASE_URL: 'http://c.example' })).toEqual([])
  })

  test('sends no mail in the clear: port 587 is held to STARTTLS', () => {
    const urlOf = (SMTP_URL: string) => readConfig({ ...LIVE, SMTP_URL }).mail?.smtpUrl
    expect(urlOf('smtp://user:secret@mail.example:587')).toBe('smtp://user:secret@mail.example:587?requireTLS=true')
    expect(urlOf('smtp://mail.example?name=a')).toBe('smtp://mail.example?name=a&requireTLS=true')
    expect(urlOf('smtps://mail.example')).toBe('smtps://mail.example')
  })

  test('describes its API only when asked to, and warns of every contact that is still the sample’s', () => {
    expect([readConfig({}).apiDocs, readConfig(LIVE).apiDocs, readConfig({ ...LIVE, API_DOCS: 'on' }).apiDocs]).toEqual([true, false, true])
    const named = (config: { warnings: string[] }) => config.warnings.map((warning) => warning.split(' ')[0])
    const BESIDES = { SECRETS_KEY: 'k'.repeat(32), TRUSTED_PROXIES: '1' }
    expect(named(readConfig({ ...LIVE, ...BESIDES }))).toEqual(['SHOP_PHONE', 'SHOP_EMAIL', 'SHOP_WHATSAPP', 'ADMIN_PHONE', 'ADMIN_EMAIL'])
    expect(named(readConfig({ ...LIVE, ...BESIDES, SHOP_PHONE: '0241234567', ADMIN_EMAIL: 'owner@shop.example' }))).toEqual([
      'SHOP_EMAIL',
      'SHOP_WHATSAPP',
      'ADMIN_PHONE',
    ])
    expect(named(readConfig({}))).toEqual([])
  })

  test('warns where backups would give secrets away, and where all visitors would share the limits of one', () => {
    const warned = (more: Record<string, string>) => readConfig({ ...LIVE, ...more }).warnings.join()
    expect(warned({})).toMatch(/SECRETS_KEY is not set.*TRUSTED_PROXIES is 0/)
    expect(warned({ SECRETS_KEY: 'k'.repeat(32), TRUSTED_PROXIES: '2' })).not.toMatch(/SECRETS_KEY|TRUSTED_PROXIES/)
  })

  test('with nothing configured names everything that is missing', () => {
    const named = namedBy({ SHOP_MODE: 'live' })
    expect(named.slice(0, 4)).toEqual(['PUBLIC_URL', 'PAYSTACK_SECRET_KEY', 'PAYSTACK_PUBLIC_KEY', 'SMTP_URL'])
    expect(named.map((name) => name.split('_')[0])).toEqual(expect.arrayContaining(['SMS', 'SUPPLIER']))
  })
})

describe('a sandbox that others could reach', () => {
  const EXPOSED = { HOST: '0.0.0.0', PUBLIC_URL: 'https://shop.example' }

  test.each([
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '192.168.1.5'],
    ['HOST', '127.0.0.1.example'],
    ['PUBLIC_URL', 'https://shop.example'],
    ['PUBLIC_URL', 'http://192.168.1.5:3000'],
    ['PUBLIC_URL', 'https://localhost.example'],
  ])('does not open with %s=%s unless that is what its owner wants', (name, value) => {
    expect(namedBy({ [name]: value })).toEqual([name])
    expect(readConfig({ [name]: value, PUBLIC_SANDBOX: 'allow' })).toMatchObject({ mode: 'sandbox', publicSandbox: true })
  })

  test.each([
    ['HOST', 'localhost'],
    ['HOST', '127.1.2.3'],
    ['HOST', '::1'],
    ['PUBLIC_URL', 'http://localhost:3000'],
    ['PUBLIC_URL', 'http://[::1]:3000'],
  ])('does not open with live setting %s=%s', (name, value) => {
    expect(readConfig({ [name]: value })).toMatchObject({ publicSandbox: false })
  })

  test('never takes a live key of the card provider', () => {
    const keys = { PAYSTACK_SECRET_KEY: 'sk_live_0123456789', PAYSTACK_PUBLIC_KEY: 'pk_live_0123456789' }
    expect(namedBy(keys)).toEqual(Object.keys(keys))
    expect(namedBy({ PAYSTACK_SECRET_KEY: ' sk_live_0123456789\t', PAYSTACK_PUBLIC_KEY: '\u00a0pk_live_0123456789' })).toEqual(
      Object.keys(keys),
    )
    expect(namedBy({ ...keys, ...EXPOSED, PUBLIC_SANDBOX: 'allow' })).toEqual(Object.keys(keys))
    expect(namedBy({ ...keys, ...EXPOSED })).toEqual([...Object.keys(keys), 'HOST', 'PUBLIC_URL'])
  })
})

describe('a sandbox with one of the two keys of the card provider', () => {
  test.each([
    ['PAYSTACK_SECRET_KEY', 'PAYSTACK_PUBLIC_KEY'],
    ['PAYSTACK_PUBLIC_KEY', 'PAYSTACK_SECRET_KEY'],
  ])('that has only %s does not open, and names the other', (given, missing) => {
    expect(namedBy({ [given]: 'a_test_key_0123' })).toEqual([missing])
    expect(namedBy({ [given]: 'a_test_key_0123', CARD: 'off' })).toEqual([])
    expect(namedBy({ [given]: 'a_test_key_0123', [missing]: 'a_test_key_4567' })).toEqual([])
  })
})

test('the public address is reduced to its origin', () => {
  expect(readConfig({ ...LIVE, PUBLIC_URL: 'HTTPS://Shop.example:8443/' }).publicUrl).toBe('https://shop.example:8443')
})
