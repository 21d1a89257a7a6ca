import { toPesewas } from '../../../../shared/money.ts'
import { staffEndpoints } from '../../../../shared/staff.ts'
import type { Api } from '../../../platform/http/api.ts'
import { mount } from '../../../platform/http/mount.ts'
import { changeRoles } from './change-roles.ts'
import { changeStaffRules } from './change-staff-rules.ts'
import { readStaff } from './queries.ts'
import { resetCode } from './reset-code.ts'

export function staffRoutes(app: Api) {
  const pesewasOrNull = (cedis: number | null) => (cedis === null ? null : toPesewas(cedis))
  mount(app, staffEndpoints, {
    'GET /admin/staff': ({ ctx }) => readStaff(ctx),

    'PUT /admin/staff/rules': async ({ ctx, body: { secondFactorRequired, passwordAbove, secondPersonAbove } }) => {
      await changeStaffRules(ctx, {
        ...(secondFactorRequired !== undefined && { secondFactorRequired }),
        ...(passwordAbove !== undefined && { passwordAbovePesewas: pesewasOrNull(passwordAbove) }),
        ...(secondPersonAbove !== undefined && { secondPersonAbovePesewas: pesewasOrNull(secondPersonAbove) }),
      })
      return readStaff(ctx)
    },

    'PUT /admin/staff/:id': async ({ ctx, params, body }) => {
      await changeRoles(ctx, { userId: params.id, roles: body.roles })
      return readStaff(ctx)
    },

    'POST /admin/staff/:id/reset-code': async ({ ctx, params }) => {
      await resetCode(ctx, params.id)
      return readStaff(ctx)
    },
  })
}
