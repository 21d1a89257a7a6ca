import { toCedis, toPesewas } from '../../../../shared/money.ts'
import { type ReferralSummary, referralEndpoints } from '../../../../shared/referrals.ts'
import { type Ctx, requireActor } from '../../../platform/context.ts'
import type { Api } from '../../../platform/http/api.ts'
import { toPage } from '../../../platform/http/lists.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeRules } from './change-rules.ts'
import { openLink, refuseOthers } from './open-link.ts'
import { presentLeader, presentReferral, presentRules } from './present.ts'
import { selectCode, selectInvited, selectLeaders, selectPaid, selectRules, selectSums } from './referrals.sql.ts'

const LEADERS = 20
const DAY_MS = 24 * 60 * 60_000

export function referralRoutes(app: Api) {
  mount(
    app,
    referralEndpoints,
    {
      'GET /referrals': async ({ ctx }) => readSummary(ctx),

      'POST /referrals/link': async ({ ctx }) => {
        await openLink(ctx)
        return readSummary(ctx)
      },

      'GET /referrals/invited': async ({ ctx, query }) => {
        const { id } = requireActor(ctx)
        const [rows, { invited }] = await Promise.all([selectInvited(ctx.db, id, toPage(query)), selectSums(ctx.db, id)])
        return { rows: rows.map(presentReferral), total: invited }
      },

      'GET /referrals/leaderboard': async ({ ctx }) => {
        const { id, level } = requireActor(ctx)
        refuseOthers(level)
        if (!(await selectRules(ctx.db)).leaderboard) return { leaderboard: null }
        const since = startOfWeek(ctx.now)
        const rows = await selectLeaders(ctx.db, since, id, LEADERS)
        return { leaderboard: { since, rows: rows.map((row) => presentLeader(row, id)) } }
      },

      'GET /referrals/rules': async ({ ctx }) => {
        const [rules, { rewards, pesewas, open }] = await Promise.all([selectRules(ctx.db), selectPaid(ctx.db)])
        return { rules: presentRules(rules), paid: { rewards, amount: toCedis(pesewas) }, open }
      },

      'PUT /referrals/rules': async ({ ctx, body: { reward, spend, ...rest } }) => {
        const given = {
          ...rest,
          rewardPesewas: reward === undefined ? undefined : toPesewas(reward),
          spendPesewas: spend === undefined ? undefined : toPesewas(spend),
        }
        const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
        return presentRules(await changeRules(ctx, change))
      },
    },
    { 'POST /referrals/link': { share: 'changes' } },
  )
}

async function readSummary(ctx: Ctx): Promise<ReferralSummary> {
  const { id } = requireActor(ctx)
  const [rules, code, sums] = await Promise.all([selectRules(ctx.db), selectCode(ctx.db, id), selectSums(ctx.db, id)])
  return { rules: presentRules(rules), code, invited: sums.invited, rewarded: sums.rewarded, earned: toCedis(sums.earnedPesewas) }
}

/** Monday, in Ghana's time, which is UTC all year. */
function startOfWeek(now: Date): string {
  const weekday = (now.getUTCDay() + 6) % 7
  return new Date(now.getTime() - weekday * DAY_MS).toISOString().slice(0, 10)
}
