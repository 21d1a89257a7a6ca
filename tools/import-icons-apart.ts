import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const ALL_ICONS = 'lucide-react'

/**
 * Imports each icon from its own file. From the library's index, every icon would seem to be needed by every screen that shows any,
 * and be downloaded with the first of them. It also spares the build 1,700 files.
 */
export function importIconsApart(): Plugin {
  const files = readFiles()
  return {
    name: 'import-icons-apart',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/ },
      handler: (code) => ({
        code: code.replace(/^import \{([^}]+)\} from 'lucide-react'/gm, (_, names: string) => importEach(names, files)),
        map: null,
      }),
    },
  }
}

/** On one line, so that the lines of errors stay the same. */
function importEach(names: string, files: Map<string, string>): string {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [exported = name, local = exported] = name.split(' as ')
      const file = files.get(exported)
      if (!file) throw new Error(`${ALL_ICONS} has no icon ${exported}`)
      return `import ${local} from '${ALL_ICONS}/icons/${file}'`
    })
    .join(';')
}

/** The name of each icon's file by the names of the icon. */
function readFiles(): Map<string, string> {
  const index = readFileSync(new URL(import.meta.resolve(ALL_ICONS).replace(/\/cjs\/.*$/, '/esm/lucide-react.mjs')), 'utf8')
  const lines = index.matchAll(/^export \{([^}]+)\} from '\.\/icons\/([a-z0-9-]+)\.mjs'/gm)
  return new Map(
    [...lines].flatMap(([, names = '', file = '']) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = '']) => [name, file] as const),
    ),
  )
}
