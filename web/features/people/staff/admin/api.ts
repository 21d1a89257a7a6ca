import { queryOptions } from '@tanstack/react-query'
import type { StaffReply } from '../../../../../shared/staff.ts'
import type { StaffRole } from '../../../../../shared/staff-rules.ts'
import { call } from '../../../../lib/api.ts'
import { queryClient, refreshSoon } from '../../../../lib/query-client.ts'
import { withPassword } from '../../../../ui/with-password.tsx'

export const staffQuery = queryOptions({ queryKey: ['staff'], queryFn: ({ signal }) => call('GET /admin/staff', { signal }) })

async function keep(change: Promise<StaffReply>): Promise<void> {
  queryClient.setQueryData(staffQuery.queryKey, await change)
  refreshSoon(['admin-actions'], ['users'])
}

export function changeRoles(id: string, roles: StaffRole[]): Promise<void> {
  return keep(withPassword(() => call('PUT /admin/staff/:id', { params: { id }, body: { roles } })))
}

export function resetCode(id: string): Promise<void> {
  return keep(withPassword(() => call('POST /admin/staff/:id/reset-code', { params: { id } })))
}

export function changeStaffRules(body: Partial<StaffReply['rules']>): Promise<void> {
  return keep(withPassword(() => call('PUT /admin/staff/rules', { body })))
}
