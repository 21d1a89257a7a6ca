import { type FormEvent, useRef, useState } from 'react'
import type { $ZodType } from 'zod/v4/core'
import { spacedPhone } from '../../shared/phones.ts'
import { readDraft, writeDraft } from './drafts.ts'
import { messageOf, RefusedError } from './http.ts'
import { session } from './session.ts'

type Values = Record<string, unknown>
/** Error messages by field name, or by part of a field such as `packages.2.offer`. */
export type Errors<V extends Values> = Partial<Record<(keyof V & string) | `${keyof V & string}.${string}`, string>>
type TextName<V> = { [Name in keyof V & string]: V[Name] extends string ? Name : never }[keyof V & string]

type Form<V extends Values, Output> = {
  initial: V
  /** Set if the values live outside the form. */
  held?: { values: V; set: (name: keyof V & string, value: unknown) => void }
  /** These fields survive a reload and an expired session until the form is sent. Never a password. */
  draft?: { form: string; fields: readonly TextName<V>[] }
  /** What is edited is stored elsewhere: a field that nobody has typed over follows `initial`, also when it changes while the form is open. */
  follows?: boolean
  /** Asked once the values are valid; false cancels. */
  confirm?: (output: Output, values: V) => Promise<boolean>
  /** `changed` names the fields that are not as stored, in a form that follows. To send those alone leaves the others as somebody else has made them. */
  submit: (output: Output, values: V, changed: readonly (keyof V & string)[]) => Promise<void> | void
  /** Called when the values are invalid, so nothing was sent. */
  onInvalid?: (errors: Errors<V>, values: V) => void
  /** Called when the server refused or could not be reached. */
  onRefused?: (message: string, error: unknown) => void
  /** Maps the path of a server error to a field, where the two differ. */
  fieldAt?: (path: string, values: V) => string
} & (
  | {
      /** Validates the values; its output is sent. For admins: customers' forms load no schema, they have `parse`. */
      schema: $ZodType<Output>
      /** Turns the values into the schema's input, where the two differ. */
      read?: (values: V) => unknown
    }
  | { /** Returns what to send, or the errors. */ parse: (values: V) => Parsed<V, Output> }
)
type Parsed<V extends Values, Output> = { output: Output } | { errors: Errors<V> }

/** The state of one form: its values, errors beside their fields, and whether it is being sent. */
export function useForm<V extends Values, Output>(options: Form<V, Output>) {
  const { initial, held, draft, follows, confirm, submit, onInvalid, onRefused } = options
  const [ownValues, setOwnValues] = useState<V>(() => ({ ...initial, ...(draft && pick(readDraft(userId(), draft.form), draft.fields)) }))
  const [edits, setEdits] = useState<Partial<V>>(() =>
    follows && draft ? (pick(readDraft(userId(), draft.form), draft.fields) as Partial<V>) : {},
  )
  const [errors, setErrors] = useState<Errors<V>>({})
  const [formError, setFormError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)
  /** Of each number the digits that were cut off it, until somebody was asked about them. */
  const cut = useRef(new Map<string, string>())
  const form = useRef<HTMLFormElement>(null)
  const values = held?.values ?? (follows ? { ...initial, ...edits } : ownValues)
  const changed = follows ? changedIn(values, initial) : []

  const setValue = <Name extends keyof V & string>(name: Name, value: V[Name]) => {
    const after = { ...values, [name]: value }
    if (held) held.set(name, value)
    else if (follows) setEdits((before) => ({ ...before, [name]: value }))
    else setOwnValues((before) => ({ ...before, [name]: value }))
    if (draft && isAmong(draft.fields, name)) writeDraft(userId(), draft.form, draftOf(after))
    setErrors((before) => without(before, name))
    setFormError(null)
  }

  const draftOf = (after: V) => {
    const kept = draft?.fields ?? []
    if (!follows) return pick(after, kept)
    const typed = changedIn(after, initial).filter((name) => isAmong(kept, name))
    return typed.length === 0 ? null : pick(after, typed)
  }

  const showErrors = (next: Errors<V>) => {
    setErrors(next)
    queueMicrotask(() => focusFirst(form.current, next))
  }

  /** Sends the form, with the given values if there are any. */
  const send = async (now = values) => {
    if (sending.current) return
    if (now !== values) setOwnValues(now)
    const parsed = parse(options, now)
    if ('errors' in parsed) {
      showErrors(parsed.errors)
      onInvalid?.(parsed.errors, now)
      return
    }
    const shortened = [...cut.current].flatMap(([name, digits]) => (digits ? [[name, isItRight(String(now[name]))]] : []))
    cut.current.clear()
    if (shortened.length > 0) return showErrors(Object.fromEntries(shortened))
    sending.current = true
    const sender = userId()
    setErrors({})
    setFormError(null)
    try {
      if (confirm && !(await confirm(parsed.output, now))) return
      setBusy(true)
      await submit(parsed.output, now, changed)
      setEdits({})
      if (draft) writeDraft(sender, draft.form, null)
    } catch (error) {
      const found = error instanceof RefusedError && isAboutFields(error) ? errorsOf(options, error.issues, now) : {}
      if (Object.keys(found).length > 0) showErrors(found)
      else setFormError(messageOf(error))
      onRefused?.(messageOf(error), error)
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  /** For a field that hands over its value, like a phone number or an amount. */
  const valueField = (name: TextName<V>) => ({
    name,
    value: values[name] as string,
    error: errors[name],
    onValue: (value: string) => setValue(name, value as V[typeof name]),
  })

  return {
    values,
    /** The fields that are not as stored, in a form that follows. */
    changed,
    errors,
    formError,
    busy,
    setValue,
    setFormError,
    send,
    reset: () => {
      setOwnValues(initial)
      setEdits({})
      if (draft) writeDraft(userId(), draft.form, null)
      setErrors({})
      setFormError(null)
    },
    /** For the form element: `<form {...form.props}>`. */
    props: {
      ref: form,
      onSubmit: (event: FormEvent) => {
        event.preventDefault()
        void send()
      },
      noValidate: true,
    },
    /** For a text field. */
    field: (name: TextName<V>) => ({
      name,
      value: values[name] as string,
      error: errors[name],
      onChange: (event: { currentTarget: { value: string } }) => setValue(name, event.currentTarget.value as V[typeof name]),
    }),
    valueField,
    /** For a number that something is sent to: one with too many digits is asked about before it is sent. */
    phoneField: (name: TextName<V>) => ({
      ...valueField(name),
      onValue: (value: string, leftOut: string) => {
        cut.current.set(name, leftOut)
        setValue(name, value as V[typeof name])
      },
    }),
  }
}

function changedIn<V extends Values>(values: V, initial: V): (keyof V & string)[] {
  return Object.keys(initial).filter((name) => values[name] !== initial[name])
}

function isItRight(phone: string): string {
  return `Is ${spacedPhone(phone)} the right number? Then press again.`
}

function parse<V extends Values, Output>(form: Form<V, Output>, values: V): Parsed<V, Output> {
  if ('parse' in form) return form.parse(values)
  const parsed = form.schema['~standard'].validate(form.read ? form.read(values) : values)
  if (parsed instanceof Promise) throw new Error('A form waits for no check')
  if (!parsed.issues) return { output: parsed.value }
  return {
    errors: errorsOf(
      form,
      parsed.issues.map(({ path = [], message }) => ({ path: path.join('.'), message })),
      values,
    ),
  }
}

/** Of what a form would send, what belongs to these fields. */
export function only<T extends object>(output: T, names: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(output).filter(([name]) => names.includes(name))) as Partial<T>
}

/** What to send, or each field's error: `problems` has null for a field with nothing wrong. */
export function parseFields<Name extends string, Output>(
  problems: Record<Name, string | null>,
  output: () => Output,
): { output: Output } | { errors: Partial<Record<Name, string>> } {
  const found = Object.entries(problems).filter(([, problem]) => problem !== null)
  return found.length === 0 ? { output: output() } : { errors: Object.fromEntries(found) as Partial<Record<Name, string>> }
}

/** The first thing that is wrong with each field. */
function errorsOf<V extends Values>(
  { fieldAt }: Pick<Form<V, unknown>, 'fieldAt'>,
  issues: readonly { path: string; message: string }[],
  values: V,
): Errors<V> {
  const found: Record<string, string> = {}
  for (const { path, message } of issues) {
    const name = fieldAt?.(path, values) ?? (path in values ? path : firstPart(path))
    if (name in values || firstPart(name) in values) found[name] ??= message
  }
  return found as Errors<V>
}

function firstPart(path: string): string {
  return path.split('.')[0] ?? ''
}

/** The errors without those of this field and its parts. */
function without<V extends Values>(errors: Errors<V>, name: string): Errors<V> {
  const others = Object.entries(errors).filter(([path]) => path !== name && !path.startsWith(`${name}.`))
  return Object.fromEntries(others) as Errors<V>
}

/** A conflict with another user's change is no field's fault: what was typed is valid. */
function isAboutFields({ status, code }: RefusedError): boolean {
  return status === 400 || code === 'TAKEN'
}

function focusFirst(form: HTMLFormElement | null, errors: Record<string, unknown>): void {
  const fields = [...(form?.elements ?? [])].filter((field) => field instanceof HTMLElement)
  fields.find((field) => (field.getAttribute('name') ?? '') in errors)?.focus()
}

function userId(): string | null {
  return session.get()?._id ?? null
}

function pick(values: Record<string, unknown> | undefined, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).filter((entry): entry is [string, string] => names.includes(entry[0]) && typeof entry[1] === 'string'),
  )
}

function isAmong(names: readonly string[], name: string): boolean {
  return names.includes(name)
}
