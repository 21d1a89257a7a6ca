// @ts-check

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}`)
  return found
}

/**
 * @param {string} tag
 * @param {string} className
 * @param {(string | Node)[]} content
 */
export function make(tag, className, content) {
  const made = document.createElement(tag)
  if (className) made.className = className
  made.append(...content)
  return made
}

/** @param {string} iso */
export function time(iso) {
  const made = document.createElement('time')
  made.dateTime = iso
  made.className = 'small muted'
  made.textContent = new Date(iso).toLocaleString('en-GB', {
    timeZone: 'UTC',
    day: '2-digit',
    month: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return made
}

/** @param {string} text */
export function withLinks(text) {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) => {
    if (index % 2 === 0) return part
    const link = document.createElement('a')
    link.href = part
    link.rel = 'noreferrer'
    link.textContent = part
    return link
  })
}

/**
 * Updates only what has changed, so that nothing moves while somebody reads or presses it.
 * @template T
 * @param {string} listId
 * @param {string} emptyId
 * @param {T[]} items
 * @param {(item: T, index: number) => string} keyOf
 * @param {(item: T) => Node[]} draw
 */
export function fill(listId, emptyId, items, keyOf, draw) {
  const list = byId(listId, HTMLUListElement)
  byId(emptyId, HTMLElement).hidden = items.length > 0
  /** @type {Map<string, HTMLLIElement[]>} */
  const drawn = new Map()
  for (const line of list.children) {
    if (line instanceof HTMLLIElement) drawn.set(line.dataset.key ?? '', [...(drawn.get(line.dataset.key ?? '') ?? []), line])
  }
  const lines = items.map((item, index) => {
    const key = keyOf(item, index)
    const content = JSON.stringify(item)
    const line = drawn.get(key)?.shift() ?? document.createElement('li')
    if (line.dataset.content === content) return line
    const pressed = line.contains(document.activeElement) ? document.activeElement?.textContent : null
    line.dataset.key = key
    line.dataset.content = content
    line.replaceChildren(...draw(item))
    if (pressed) [...line.querySelectorAll('button')].find((button) => button.textContent === pressed)?.focus()
    return line
  })
  for (const gone of [...drawn.values()].flat()) gone.remove()
  lines.forEach((line, index) => {
    if (list.children[index] !== line) list.insertBefore(line, list.children[index] ?? null)
  })
}

/**
 * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
 * @param {string} address
 * @param {object} [body]
 */
export async function call(method, address, body) {
  const response = await fetch(address, {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  })
  const reply = await response.json()
  if (!response.ok) throw new Error(reply.message)
  return reply
}
