// What Swift's Glibc module leaves out: epoll, and functions that glibc shows to those who define _GNU_SOURCE only.
#pragma once
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <time.h>

extern void *memmem(const void *hay, size_t hay_size, const void *needle, size_t needle_size);
extern int ppoll(struct pollfd *items, nfds_t count, const struct timespec *timeout, const sigset_t *mask);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int malloc_trim(size_t pad);
extern int pthread_setname_np(pthread_t thread, const char *name);
