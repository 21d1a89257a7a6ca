import { useState } from 'react'

/**
 * Text that an owner types over stored rules. What nobody has typed over follows what is stored, also when somebody else changes it while the
 * screen is open, and `changed` names what is to be saved: only that, so that nobody's change is taken back.
 */
export function useTyped<V extends Record<string, string>>(stored: V) {
  const [typed, setTyped] = useState<Partial<V>>({})
  const values: V = { ...stored, ...typed }
  return {
    values,
    changed: Object.keys(stored).filter((name) => values[name] !== stored[name]),
    /** For a field that hands over its value. */
    field: (name: keyof V & string) => ({
      value: values[name] as string,
      onValue: (text: string) => setTyped((before) => ({ ...before, [name]: text })),
    }),
    /** Once it is saved. */
    clear: () => setTyped({}),
  }
}
