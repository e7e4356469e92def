-- Streams of the HTTP+SSE transport of MCP 2024-11-05. One process holds a stream, and another may receive messages for it. The tables
-- need not survive a crash of the database, so they are unlogged.
create unlogged table access.mcp_streams (
  -- SHA-256 of the stream id that the client sends.
  id         bytea primary key,
  -- Owner of the stream. Only the owner can send messages to it.
  principal  text not null,
  -- Updated by the process that holds the stream.
  alive_at   timestamptz not null default now()
);

-- Encrypted responses for the process that holds the stream.
create unlogged table access.mcp_answers (
  id       bigint generated always as identity primary key,
  stream   bytea not null references access.mcp_streams on delete cascade,
  content  bytea not null
);
create index on access.mcp_answers (stream);
