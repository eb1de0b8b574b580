/**
 * A lower bound for the cost of a page with React on this machine: bare node:http, and renderToString of the
 * visible content of the page in plain elements. No components, no router, no store, no hydration data, no
 * head. Prints its address as the real server's log does.
 *
 * node bench/pages/floor-server.ts TREE.json
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createElement, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import * as v from 'valibot'
import { listenAndPrint } from '../support/listen-and-print.ts'
import { pageElement, type PageNode } from './page-tree.ts'

const tree = v.parse(pageElement, JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))

/** The elements are created for each request, like those of a real page. */
function toElements(node: PageNode): ReactNode {
  return typeof node === 'string'
    ? node
    : createElement(node.tag, node.attributes, ...node.children.map(toElements))
}

const server = createServer((_request, response) => {
  const html = Buffer.from(`<!DOCTYPE html>${renderToString(toElements(tree))}`)
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': html.length })
  response.end(html)
})

await listenAndPrint(server)
