import { ofUser } from '../../../lib/session.ts'
import { createStored } from '../../../lib/stored.ts'

/** The notice that its reader has closed; another text is shown again. */
export const seenNotice = ofUser(
  createStored<string | null>('seenNotice', null, (value) => typeof value === 'string'),
  null,
)
