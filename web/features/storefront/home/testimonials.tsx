import { type TouchEvent, useEffect, useRef, useState } from 'react'
import { useMediaQuery } from '../../../lib/use-media-query.ts'
import { homeTexts } from '../../../texts/home.ts'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { stepAfterSwipe } from './step-after-swipe.ts'

const INTERVAL_MS = 5000

const { testimonials: TESTIMONIALS } = homeTexts

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
      aria-label={homeTexts.testimonialsLabel}
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
            aria-label={homeTexts.ofAll(index + 1, TESTIMONIALS.length)}
            aria-hidden={index !== current}
            className={classNames(
              'ticket col-start-1 row-start-1 transition-opacity',
              index === current ? 'opacity-100' : 'pointer-events-none opacity-0',
            )}
          >
            <blockquote className="flex-1 p-4 text-large text-pretty">“{words}”</blockquote>
            <div className="perf" aria-hidden="true" />
            <figcaption className="px-4 py-3 text-body text-muted">
              <span className="font-semibold text-ink">{name}</span>, {place}
            </figcaption>
          </figure>
        ))}
      </div>
      <div className="mt-1 -ml-3 flex items-center gap-1">
        <IconButton label={homeTexts.previousTestimonial} onClick={() => step(-1)}>
          <Icon name="previous" />
        </IconButton>
        <p className="tabular px-1 text-small text-muted">
          {current + 1} / {TESTIMONIALS.length}
        </p>
        <IconButton label={homeTexts.nextTestimonial} onClick={() => step(1)}>
          <Icon name="next" />
        </IconButton>
        <IconButton label={stopped ? homeTexts.playTestimonials : homeTexts.pauseTestimonials} onClick={() => setStopped(!stopped)}>
          <Icon name={stopped ? 'play' : 'pause'} className="size-4.5" />
        </IconButton>
      </div>
    </section>
  )
}
