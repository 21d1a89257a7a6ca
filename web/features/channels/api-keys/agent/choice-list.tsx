type Props<T extends string> = {
  label: string
  choices: readonly { value: T; words: string; code?: string }[]
  chosen: readonly T[]
  onChosen: (chosen: T[]) => void
  error?: string | undefined
}

/** Several of a few choices. */
export function ChoiceList<T extends string>({ label, choices, chosen, onChosen, error }: Props<T>) {
  return (
    <fieldset>
      <legend className="font-semibold">{label}</legend>
      {choices.map(({ value, words, code }) => (
        <label key={value} className="flex min-h-11 cursor-pointer items-center gap-3">
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={(event) =>
              onChosen(
                choices.map((one) => one.value).filter((one) => (one === value ? event.currentTarget.checked : chosen.includes(one))),
              )
            }
            className="size-5 shrink-0 accent-brand"
          />
          <span className="min-w-0">
            {words} {code && <span className="font-mono text-small text-muted">{code}</span>}
          </span>
        </label>
      ))}
      {error && <p className="text-small font-medium text-danger">{error}</p>}
    </fieldset>
  )
}
