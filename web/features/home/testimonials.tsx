import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react'
import { type TouchEvent, useEffect, useRef, useState } from 'react'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { stepAfterSwipe } from './step-after-swipe.ts'

const INTERVAL_MS = 5000

const TESTIMONIALS = [
  {
    name: 'Abena Owusu',
    place: 'Kumasi',
    words: 'The bundle lands while I’m still holding the phone. And when I once typed a wrong number, it warned me before I paid.',
  },
  {
    name: 'Kwame Mensah',
    place: 'Accra',
    words: 'I sell to my whole hostel. One cart, thirty numbers, one payment, and every order has its own reference to show.',
  },
  {
    name: 'Efua Asante',
    place: 'Cape Coast',
    words: 'One order failed, and the money was back in my wallet before I could complain. That’s why I stay.',
  },
] as const

/** Three testimonials, one at a time: changes every five seconds, by arrow or by swipe; pauses on hover, focus and request. */
export function Testimonials() {
  const [current, setCurrent] = useState(0)
  const [paused, setPaused] = useState(false)
  const [stopped, setStopped] = useState(false)
  const reduced = useMediaQuery('(prefers-reduced-motion: reduce)')
  const touchedAt = useRef<number | null>(null)
  const still = paused || stopped || reduced

  const step = (by: number) => setCurrent((index) => (index + by + TESTIMONIALS.length) % TESTIMONIALS.length)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a step by hand starts the five seconds again.
  useEffect(() => {
    if (still) return
    const timer = setTimeout(() => setCurrent((index) => (index + 1) % TESTIMONIALS.length), INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [still, current])

  const onTouchEnd = (event: TouchEvent) => {
    const start = touchedAt.current
    touchedAt.current = null
    const end = event.changedTouches[0]?.clientX
    if (start !== null && end !== undefined) step(stepAfterSwipe(end - start))
  }

  return (
    <section
      aria-roledescription="carousel"
      aria-label="Testimonials"
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      onTouchStart={(event) => {
        touchedAt.current = event.touches[0]?.clientX ?? null
      }}
      onTouchEnd={onTouchEnd}
    >
      <div className="grid" aria-live={still ? 'polite' : 'off'}>
        {TESTIMONIALS.map(({ name, place, words }, index) => (
          <figure
            key={name}
            aria-roledescription="slide"
            aria-label={`${index + 1} of ${TESTIMONIALS.length}`}
            aria-hidden={index !== current}
            className={classNames(
              'col-start-1 row-start-1 max-w-2xl transition-opacity',
              index === current ? 'opacity-100' : 'pointer-events-none opacity-0',
            )}
          >
            <blockquote className="text-title font-medium text-pretty sm:text-display sm:leading-snug">“{words}”</blockquote>
            <figcaption className="mt-4 text-body text-muted">
              <span className="font-semibold text-ink">{name}</span>, {place}
            </figcaption>
          </figure>
        ))}
      </div>
      <div className="mt-4 -ml-3 flex items-center gap-1">
        <IconButton label="Previous testimonial" onClick={() => step(-1)}>
          <ChevronLeft className="size-5" aria-hidden="true" />
        </IconButton>
        <p className="tabular px-1 text-small text-muted">
          {current + 1} / {TESTIMONIALS.length}
        </p>
        <IconButton label="Next testimonial" onClick={() => step(1)}>
          <ChevronRight className="size-5" aria-hidden="true" />
        </IconButton>
        <IconButton label={stopped ? 'Play the testimonials' : 'Pause the testimonials'} onClick={() => setStopped(!stopped)}>
          {stopped ? <Play className="size-4.5" aria-hidden="true" /> : <Pause className="size-4.5" aria-hidden="true" />}
        </IconButton>
      </div>
    </section>
  )
}
