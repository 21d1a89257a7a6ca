/** The shop's logo: a coin crossed by a road. */
export function SignMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0a5c3b" />
      <path d="M9 8h6.5a8 8 0 0 1 0 16H9z" fill="none" stroke="#fff" strokeWidth="3" strokeLinejoin="round" />
      <path d="M9 16h9" stroke="#ffcb2e" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}
