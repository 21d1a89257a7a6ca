import { useId } from 'react'
import { classNames } from '../class-names.ts'
import { controlClass, SelectControl } from '../field.tsx'

type Props = {
  label: string
  all: string
  value: string
  options: readonly { value: string; label: string }[]
  onValue: (value: string) => void
}

/** A filter of a list; the first option means all. */
export function FilterSelect({ label, all, value, options, onValue }: Props) {
  const id = useId()
  return (
    <div className="min-w-32 max-sm:flex-1">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <SelectControl
        id={id}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        className={classNames(controlClass, 'min-h-11! text-body! max-lg:text-large!', value !== '' && 'border-brand-text! font-semibold')}
      >
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </SelectControl>
    </div>
  )
}
