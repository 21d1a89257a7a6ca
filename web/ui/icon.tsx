import { classNames } from './class-names.ts'

/** The icons of the first screens. All others are Lucide's, whose way of drawing is as large as these together. */
const PATHS = {
  store: 'M4 9.5V20h16V9.5M3 9l2-5h14l2 5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0M9 20v-6h6v6',
  login: 'M14 4h5v16h-5M4 12h11M11 8l4 4-4 4',
  register: 'M10 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M3 20c.6-4 3.4-6 7-6 2 0 3.7.6 5 1.8M19 14v6M16 17h6',
  chat: 'M4 20l1.3-4.2A8.3 8.3 0 1 1 8.6 19zM9 9c0 3 3 6 6 6l1-2-2.2-1-1 1c-1-.5-1.8-1.3-2.3-2.3l1-1L10.5 7.5z',
  phone: 'M6 3h4l1.5 5L9 9.5c1 2.5 3 4.5 5.5 5.5l1.5-2.5 5 1.5v4c0 1.5-1 3-3 3C10 20 4 14 4 6c0-2 .5-3 2-3z',
  mail: 'M3 6h18v13H3zM3 7l9 7 9-7',
  next: 'M9 5l7 7-7 7',
  previous: 'M15 5l-7 7 7 7',
  pause: 'M8 5v14M16 5v14',
  play: 'M7 4l12 8-12 8z',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  moon: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z',
}
export type IconName = keyof typeof PATHS

export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={classNames('shrink-0', className)}
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
