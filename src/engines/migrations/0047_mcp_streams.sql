-- Streams of the HTTP+SSE transport of MCP 2024-11-05: one process holds a stream, another may take the messages to it.
-- Neither outlives a crash of the database, so they need no place in its log.
create unlogged table access.mcp_streams (
  -- SHA-256 of what the client names the stream by.
  id         bytea primary key,
  -- Whose it is: only they send messages to it.
  principal  text not null,
  -- Moved by the process that holds it.
  alive_at   timestamptz not null default now()
);

-- Answers on their way to the process that holds the stream, sealed.
create unlogged table access.mcp_answers (
  id       bigint generated always as identity primary key,
  stream   bytea not null references access.mcp_streams on delete cascade,
  content  bytea not null
);
create index on access.mcp_answers (stream);
