import { timingSafeEqual } from 'node:crypto'
import type { UssdGatewayName } from '../../../../shared/ussd-rules.ts'
import { arkesel } from '../../../integrations/ussd/arkesel.ts'
import { fitScreen, fitsScreen } from '../../../integrations/ussd/fit-screen.ts'
import { hubtel } from '../../../integrations/ussd/hubtel.ts'
import { nalo } from '../../../integrations/ussd/nalo.ts'
import type { UssdGateway } from '../../../integrations/ussd/ussd-gateway.ts'
import { addressKey } from '../../../platform/address-key.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import { Forbidden, Invalid, NotFound } from '../../../platform/errors.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { readForStranger } from '../../../platform/http/guess-turns.ts'
import { matchAddress } from '../api-keys/match-address.ts'
import { type Channel, previewFirst, receiveInput, type Talking } from '../conversations/receive-input.ts'
import { insertPhone, lockOwnerOfPhone, selectOwnerOfPhone, selectUssd, type UssdRow, updateProblem, updateSeen } from './ussd.sql.ts'

/** `sandboxSecret`: of the simulated gateway's address. */
export type UssdDeps = Talking & { sandboxSecret: string | null }
type Sent = Record<string, string | boolean>

const GATEWAYS: Record<UssdGatewayName, UssdGateway> = { arkesel, nalo, hubtel }
/** Gateways end a session after two to three minutes. */
const SESSION_MS = 3 * 60_000
/** Guesses of the secret. */
const WRONG_AT_ONE_ADDRESS = { size: 60, everyMs: 30_000 }
const SORRY = 'Sorry, something went wrong here. Dial again in a minute: nothing is bought twice.'

/**
 * Answers one call of the gateway, in its own form.
 * @throws NotFound without the secret, Forbidden from an address that is not allowed, TooManyAttempts, Invalid by field.
 */
export async function receiveUssd(ctx: Ctx, deps: UssdDeps, secret: string, body: unknown): Promise<Sent> {
  const settings = await readForStranger(ctx.ip, async () => {
    const found = await selectUssd(ctx.db)
    const isSimulated = deps.sandboxSecret !== null && isSecret(secret, hashToken(deps.sandboxSecret))
    if (!isSimulated) await proveCaller(ctx, deps, found, secret)
    return found
  })
  const gateway = GATEWAYS[settings.gateway]
  const call = gateway.read(body)
  if ('problem' in call) {
    await updateProblem(ctx.db, `The gateway sends something else than ${gateway.name} does: ${call.problem.message}`, ctx.now)
    throw new Invalid([call.problem])
  }
  await updateSeen(ctx.db, ctx.now)
  // The customer has hung up: there is nobody to answer, and what they were doing stays as it is.
  if (call.kind === 'over') return gateway.reply(body, '', false)
  const { session, phone, text, number } = call
  const input = { session, phone, text, isFirst: call.kind === 'first', request: number === null ? null : { number } }
  try {
    const screen = await receiveInput(ctx, deps, channelOf(settings), input)
    return gateway.reply(body, fitScreen(screen, settings.mostCharacters), !screen.ended)
  } catch (error) {
    // A phone can only show what the gateway understands.
    ctx.log.error({ err: error }, 'a USSD request failed')
    return gateway.reply(body, SORRY, false)
  }
}

/** What the caller's own phone would get first, and the reply as the gateway would. */
export async function readUssdTest(ctx: Ctx, deps: UssdDeps): Promise<{ text: string; characters: number; sends: Sent }> {
  const settings = await selectUssd(ctx.db)
  const screen = await previewFirst(ctx, deps, channelOf(settings), requireActor(ctx).phone)
  const text = fitScreen(screen, settings.mostCharacters)
  return { text, characters: text.length, sends: GATEWAYS[settings.gateway].reply({}, text, !screen.ended) }
}

function channelOf({ mostCharacters }: UssdRow): Channel {
  return {
    name: 'ussd',
    sessionMs: SESSION_MS,
    fits: (screen) => fitsScreen(screen, mostCharacters),
    findOwner: selectOwnerOfPhone,
    async lockOwner(tx, owner) {
      if (!(await lockOwnerOfPhone(tx, owner))) throw new Forbidden('This number has no account any more.')
    },
    confirm: insertPhone,
  }
}

async function proveCaller(ctx: Ctx, { limiter }: UssdDeps, { secretHash, addresses }: UssdRow, secret: string) {
  if (secretHash === null || !isSecret(secret, secretHash)) {
    await limiter.take([{ name: `wrong USSD addresses from ${addressKey(ctx.ip ?? '')}`, ...WRONG_AT_ONE_ADDRESS }])
    throw new NotFound('address')
  }
  if (matchAddress(addresses, ctx.ip ?? '')) return
  await updateProblem(ctx.db, `A call came from ${ctx.ip ?? 'nowhere'}, which is not among the addresses allowed.`, ctx.now)
  throw new Forbidden()
}

function isSecret(given: string, hash: Buffer): boolean {
  return timingSafeEqual(hashToken(given), hash)
}
