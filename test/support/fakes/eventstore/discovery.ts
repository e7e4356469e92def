/**
 * The requests of a client before its work: which methods the server supports, and which node of the cluster is the
 * leader.
 */
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';

export function supportedMethods(): SupportedMethods {
  const method = new features.SupportedMethod();
  method.setServiceName('event_store.client.streams.streams');
  method.setMethodName('batchappend');
  const methods = new features.SupportedMethods();
  methods.setMethodsList([method]);
  methods.setEventStoreServerVersion('24.6.0');
  return methods;
}

/** Returns a cluster of only this node, which is the leader or does not know the leader. */
export function clusterInfo(port: number, leads = true): ClusterInfo {
  const endPoint = new gossip.EndPoint();
  endPoint.setAddress('127.0.0.1');
  endPoint.setPort(port);
  const id = new shared.UUID();
  id.setString(crypto.randomUUID());
  const member = new gossip.MemberInfo();
  member.setInstanceId(id);
  member.setTimeStamp(String(Date.now()));
  member.setState(gossip.MemberInfo.VNodeState[leads ? 'LEADER' : 'UNKNOWN']);
  member.setIsAlive(true);
  member.setHttpEndPoint(endPoint);
  const info = new gossip.ClusterInfo();
  info.setMembersList([member]);
  return info;
}
