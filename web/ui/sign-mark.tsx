/** The shop's logo: a letter on a ticket. */
export function SignMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <path
        d="M6 0h20a6 6 0 0 1 6 6v6a4 4 0 0 0 0 8v6a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6v-6a4 4 0 0 0 0-8V6a6 6 0 0 1 6-6z"
        fill="var(--sign,#0a5c3b)"
      />
      <path d="M10.5 9H15a7 7 0 0 1 0 14h-4.5z" fill="none" stroke="#fff" strokeWidth="3" strokeLinejoin="round" />
      <path d="M10.5 16h8" stroke="#ffcb05" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}
