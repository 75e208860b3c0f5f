#include "server/service.h"

#include <stdio.h>

#include <event2/event.h>

#include "protocol/message.h"
#include "server/ops/log.h"

bool service_adopt_sockets(struct net *net, const struct supervisor_sockets *sockets)
{
	char why[LISTENER_WHY_SIZE];

	for (size_t i = 0; i < sockets->count; i++) {
		const struct supervisor_socket *passed = &sockets->items[i];

		if (!net_adopt(net, passed->name, passed->fd, why)) {
			fprintf(stderr, "qtttd: %s\n", why);
			return false;
		}
		log_event(LOG_INFO, "socket_passed", "fd=%d door=%s", passed->fd, passed->name);
	}
	return true;
}

static void tell_alive(const struct service *service)
{
	struct play_counts counts;
	char status[128];

	play_count(service->play, &counts);
	snprintf(status, sizeof(status), "connections: %zu, games: %zu",
			net_connections(service->net), counts.rooms_by_status[STATUS_PLAYING]);
	supervisor_tell_alive(status);
}

static void service_beats(int fd, short what, void *arg)
{
	struct service *service = arg;

	(void)fd;
	(void)what;
	tell_alive(service);
	loop_timer_set(service->beat, service->beat_ms);
}

void service_begin(struct service *service, struct loop *loop, const struct net *net,
		const struct play *play)
{
	*service = (struct service){.loop = loop, .net = net, .play = play, .begun = true};
	supervisor_tell(SUPERVISOR_READY);
	service->beat_ms = supervisor_beat_ms();
	if (service->beat_ms > 0) {
		service->beat = loop_timer_new(loop, service_beats, service);
		service_beats(-1, 0, service);
	}
}

void service_reloading(const struct service *service)
{
	if (service->begun) {
		supervisor_tell(SUPERVISOR_RELOADING);
	}
}

void service_reloaded(const struct service *service)
{
	if (service->begun) {
		supervisor_tell(SUPERVISOR_READY);
	}
}

void service_fini(struct service *service)
{
	if (service->beat != NULL) {
		event_free(service->beat);
		service->beat = NULL;
	}
}
