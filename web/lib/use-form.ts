import { type FormEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { readDraft, writeDraft } from './drafts.ts'
import { messageOf, RefusedError } from './http.ts'
import { session } from './session.ts'

// The content security policy allows no eval, which zod would otherwise try.
z.config({ jitless: true })

type Values = Record<string, string>
export type Errors<V> = Partial<Record<keyof V & string, string>>

type Form<V extends Values, Output> = {
  initial: V
  /** What is typed into these fields is there again after a reload, until the form was sent. Never a password. */
  draft?: { form: string; fields: readonly (keyof V & string)[] }
  /** What the fields must be; its output is what is sent. */
  schema: z.core.$ZodType<Output>
  /** Turns the typed text into what the schema reads, where the two differ. */
  read?: (values: V) => unknown
  submit: (output: Output, values: V) => Promise<void> | void
  /** Called when nothing was sent since the fields are not right yet. */
  onInvalid?: (errors: Errors<V>, values: V) => void
  /** Called with a refusal that names no field of this form. */
  onRefused?: (message: string, error: unknown) => void
}

/** The state of one form: values as typed, what is wrong beside which field, and whether it is being sent. */
export function useForm<V extends Values, Output>({ initial, draft, schema, read, submit, onInvalid, onRefused }: Form<V, Output>) {
  const [values, setValues] = useState<V>(() => ({ ...initial, ...(draft && pick(readDraft(userId(), draft.form), draft.fields)) }))
  const [errors, setErrors] = useState<Errors<V>>({})
  const [formError, setFormError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)
  const form = useRef<HTMLFormElement>(null)

  const setValue = (name: keyof V & string, value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    if (draft?.fields.includes(name)) writeDraft(userId(), draft.form, { ...pick(values, draft.fields), [name]: value })
    setErrors(({ [name]: _, ...others }) => others as Errors<V>)
    setFormError(null)
  }

  const showErrors = (next: Errors<V>) => {
    setErrors(next)
    const first = Object.keys(values).find((name) => next[name])
    if (first) queueMicrotask(() => focusField(form.current, first))
  }

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (sending.current) return
    const parsed = z.safeParse(schema, read ? read(values) : values)
    if (!parsed.success) {
      const found = fieldErrors<V>(parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
      showErrors(found)
      onInvalid?.(found, values)
      return
    }
    sending.current = true
    const sender = userId()
    setBusy(true)
    setErrors({})
    setFormError(null)
    try {
      await submit(parsed.data, values)
      if (draft) writeDraft(sender, draft.form, null)
    } catch (error) {
      const found = error instanceof RefusedError ? fieldErrors<V>(error.issues) : {}
      const known = Object.keys(found).some((name) => name in values)
      if (known) showErrors(found)
      else setFormError(messageOf(error))
      onRefused?.(messageOf(error), error)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  return {
    values,
    errors,
    formError,
    busy,
    setValue,
    setFormError,
    reset: () => {
      setValues(initial)
      setErrors({})
      setFormError(null)
    },
    /** For the form element: `<form {...form.props}>`. */
    props: { ref: form, onSubmit: (event: FormEvent) => void handleSubmit(event), noValidate: true },
    /** For a text field. */
    field: (name: keyof V & string) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (event: { currentTarget: { value: string } }) => setValue(name, event.currentTarget.value),
    }),
    /** For a field that hands over its value, like a phone number or an amount. */
    valueField: (name: keyof V & string) => ({
      name,
      value: values[name] ?? '',
      error: errors[name],
      onValue: (value: string) => setValue(name, value),
    }),
  }
}

function userId(): string | null {
  return session.get()?._id ?? null
}

function pick(values: Record<string, string> | undefined, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([name, value]) => names.includes(name) && typeof value === 'string'))
}

/** The first thing that is wrong with each field, by the field's name. */
function fieldErrors<V extends Values>(issues: readonly { path: string; message: string }[]): Errors<V> {
  const found: Record<string, string> = {}
  for (const { path, message } of issues) {
    const name = path.split('.')[0] ?? ''
    if (name && !(name in found)) found[name] = message
  }
  return found as Errors<V>
}

function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}
