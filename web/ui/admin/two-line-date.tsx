/** A date with its time below, which keeps a wide table narrow. */
export function TwoLineDate({ text }: { text: string | null }) {
  if (!text) return <span className="text-muted">–</span>
  const [day, time] = text.split(' ')
  return (
    <span className="tabular block leading-tight whitespace-nowrap">
      {day} <span className="block text-small text-muted">{time}</span>
    </span>
  )
}
