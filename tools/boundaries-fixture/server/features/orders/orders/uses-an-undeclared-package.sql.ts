// breaks: no-undeclared-package
import fastify from 'fastify'
export const app = fastify
