/**
 * One read for all who ask at the same time: whoever asks while one runs gets the next, which begins after it. So however many ask, one runs,
 * and nobody gets what was read before they asked.
 */
export function shareRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<void> | null = null
  let next: Promise<T> | null = null
  const start = () => {
    next = null
    const reading = read()
    const over = reading.then(nothing, nothing)
    running = over
    void over.then(() => {
      if (running === over) running = null
    })
    return reading
  }
  return () => {
    if (running === null) return start()
    next ??= running.then(start)
    return next
  }
}

function nothing() {}
