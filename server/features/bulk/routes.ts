import type * as contract from '../../../shared/bulk.ts'
import { bulkEndpoints } from '../../../shared/bulk.ts'
import { MAX_BULK_GROUPS, MAX_BULK_SCHEDULES, type ScheduleQuestion } from '../../../shared/bulk-rules.ts'
import { ServiceUnavailable } from '../../platform/errors.ts'
import type { Api } from '../../platform/http/api.ts'
import { mount } from '../../platform/http/mount.ts'

/** What the handlers are about. */
type Subjects =
  | contract.GroupLine
  | contract.PreviewLine
  | contract.OnItsWay
  | contract.BulkPreview
  | contract.NewBulkLine
  | contract.PlaceBulkRequest
  | contract.BulkJob
  | contract.BulkJobLine
  | contract.BulkGroup
  | contract.SaveGroupRequest
  | contract.ScheduleRequest
  | contract.BulkSchedule
  | ScheduleQuestion

const LIMITS = { groups: MAX_BULK_GROUPS, schedules: MAX_BULK_SCHEDULES }

export function bulkRoutes(app: Api) {
  const none = async (_subject?: Subjects): Promise<never> => {
    app.log.debug(LIMITS)
    throw new ServiceUnavailable()
  }
  mount(app, bulkEndpoints, {
    'POST /bulk/preview': () => none(),
    'POST /bulk': () => none(),
    'GET /bulk': () => none(),
    'GET /bulk/:id': () => none(),
    'GET /bulk/:id/file': () => none(),
    'GET /bulk-groups': () => none(),
    'GET /bulk-groups/:id': () => none(),
    'POST /bulk-groups': () => none(),
    'PUT /bulk-groups/:id': () => none(),
    'DELETE /bulk-groups/:id': () => none(),
    'GET /bulk-schedules': () => none(),
    'POST /bulk-schedules': () => none(),
    'PUT /bulk-schedules/:id': () => none(),
    'POST /bulk-schedules/:id/pause': () => none(),
    'POST /bulk-schedules/:id/resume': () => none(),
    'POST /bulk-schedules/:id/skip': () => none(),
    'DELETE /bulk-schedules/:id': () => none(),
  })
}
