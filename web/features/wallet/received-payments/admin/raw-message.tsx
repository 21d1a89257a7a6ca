/** The message as it was pasted. */
export function RawMessage({ text, open = false }: { text: string; open?: boolean }) {
  if (open) return <blockquote className="rounded-box bg-sunken px-3 py-2 text-small break-words whitespace-pre-wrap">{text}</blockquote>
  return (
    <details>
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-small font-semibold text-brand-text lg:min-h-8">
        Read the message
      </summary>
      <blockquote className="rounded-box bg-sunken px-3 py-2 text-small break-words whitespace-pre-wrap">{text}</blockquote>
    </details>
  )
}
