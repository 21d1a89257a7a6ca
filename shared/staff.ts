import * as z from 'zod/mini'
import { endpoints, idParam } from './endpoint.ts'
import { cedis } from './fields.ts'
import { STAFF_ROLES } from './staff-rules.ts'

/** `hasCode`: they sign in with a code. `here`: a session of theirs was in use within ten minutes. */
const staffMember = z.object({
  _id: z.string(),
  username: z.string(),
  phone: z.string(),
  roles: z.array(z.enum(STAFF_ROLES)),
  hasCode: z.boolean(),
  lastSeenAt: z.nullable(z.string()),
  here: z.boolean(),
})
export type StaffMember = z.output<typeof staffMember>

/** Amounts in cedis; null is never. */
const staffRules = z.object({
  secondFactorRequired: z.boolean(),
  passwordAbove: z.nullable(z.number()),
  secondPersonAbove: z.nullable(z.number()),
})

const staffReply = z.object({ people: z.array(staffMember), rules: staffRules })
export type StaffReply = z.output<typeof staffReply>

const limit = z.optional(z.nullable(cedis.check(z.refine((value) => value >= 0, { error: 'The limit cannot be below zero.' }))))

const A_ROLE = `A role is one of ${STAFF_ROLES.join(', ')}.`

export const staffEndpoints = endpoints({
  'GET /admin/staff': {
    id: 'listStaff',
    tag: 'admin',
    summary: 'Who works here, with what roles, and the rules for money',
    access: 'owner',
    reply: staffReply,
  },
  'PUT /admin/staff/rules': {
    id: 'changeStaffRules',
    tag: 'admin',
    summary: 'When a code, the password again or a second person is needed',
    access: 'owner',
    body: z.object({
      secondFactorRequired: z.optional(z.boolean({ error: 'Say yes or no: whoever moves money needs a code.' })),
      passwordAbove: limit,
      secondPersonAbove: limit,
    }),
    reply: staffReply,
  },
  'PUT /admin/staff/:id': {
    id: 'changeRoles',
    tag: 'admin',
    summary: 'Give somebody roles, or with none let them go',
    access: 'owner',
    params: idParam('user'),
    body: z.object({ roles: z.array(z.enum(STAFF_ROLES, { error: A_ROLE })).check(z.maxLength(STAFF_ROLES.length, { error: A_ROLE })) }),
    reply: staffReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  'POST /admin/staff/:id/reset-code': {
    id: 'resetCode',
    tag: 'admin',
    summary: 'Switch off the code of somebody who lost their phone, and end their sessions',
    access: 'owner',
    params: idParam('user'),
    reply: staffReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
})
