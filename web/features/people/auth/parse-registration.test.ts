import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { registerRequest } from '../../../../shared/users.ts'
import { parseRegistration } from './parse-registration.ts'

const fine = { username: 'ama', phone: '0241234567', email: 'ama@example.com', password: 'long enough', confirmPassword: 'long enough' }

describe('the registration form', () => {
  test('needs the password twice', () => {
    expect(parseRegistration({ ...fine, confirmPassword: 'long enouhg' })).toEqual({
      errors: { confirmPassword: 'Passwords do not match' },
    })
    expect(parseRegistration(fine)).toEqual({
      output: { username: 'ama', phone: '0241234567', email: 'ama@example.com', password: 'long enough' },
    })
  })

  const typed = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.constantFrom(...Object.values(fine), ' Ama ', ' AMA@Example.com', '0241234567', 'a b', ''),
  )
  test('sends what the API takes, and finds wrong what the API refuses', () => {
    fc.assert(
      fc.property(fc.record({ username: typed, phone: typed, email: typed, password: typed }), (values) => {
        const parsed = parseRegistration({ ...values, confirmPassword: values.password })
        const answer = registerRequest.safeParse(values)
        if (answer.success) expect(parsed).toEqual({ output: answer.data })
        else
          expect(
            Object.keys('errors' in parsed ? parsed.errors : {})
              .filter((name) => name !== 'confirmPassword')
              .sort(),
          ).toEqual(fieldsOf(answer.error))
      }),
    )
  })
})

function fieldsOf({ issues }: { issues: { path: PropertyKey[] }[] }): string[] {
  return [...new Set(issues.map(({ path }) => String(path[0])))].sort()
}
