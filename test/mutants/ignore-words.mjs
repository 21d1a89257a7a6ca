const SQL = /^\s*(select|insert|update|delete|with)\b/

/** What is no behaviour (a route's summary, a statement's name, a line of the log), and SQL, which `run.ts` mutates itself. */
const words = {
  shouldIgnore(path) {
    if (path.isObjectProperty()) {
      const name = path.node.key.name ?? path.node.key.value
      if (name === 'summary' || name === 'tags' || name === 'hide') return 'it describes a route'
      const beside = path.parent.properties ?? []
      if (name === 'name' && beside.some((property) => property.key?.name === 'text')) return 'it names a prepared statement'
    }
    if (path.isVariableDeclarator() && path.node.id.name === 'tags') return 'it describes a route'
    if (path.isTemplateLiteral() && SQL.test(path.node.quasis[0].value.raw)) return 'SQL is mutated by itself'
    if (path.isStringLiteral() && SQL.test(path.node.value)) return 'SQL is mutated by itself'
    if (path.isCallExpression() && path.get('callee').toString().startsWith('ctx.log.')) return 'it is for the log'
    return undefined
  },
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'words', value: words }]
